// A made-up cluster with a fast clock: workloads that are busy, fall idle, are paused and kept. It follows
// docs/rest-api.md and is only as clever as the page needs.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const MODELS = [
  ['NVIDIA H100 80GB HBM3', 6.9],
  ['NVIDIA A100-SXM4-80GB', 4.1],
  ['NVIDIA A100-SXM4-40GB', 3.2],
  ['NVIDIA L40S', 1.9],
  ['Tesla T4', 0.5],
  ['AMD Instinct MI300X', 6.0],
];
const KINDS = ['Deployment', 'StatefulSet', 'Notebook.kubeflow.org', 'Deployment', 'RayCluster.ray.io', 'Job.batch'];
const NAMESPACES = ['ml-research', 'serving', 'speech', 'vision', 'notebooks', 'recsys', 'batch', 'platform'];
const FIRST = ['trainer', 'llama', 'whisper', 'ranker', 'embedder', 'notebook', 'eval', 'diffusion', 'tokenizer', 'finetune', 'search', 'ocr'];
const SECOND = ['eu', 'v2', 'large', 'canary', 'nightly', 'ada', 'grace', 'mini', 'prod', 'staging', 'ab', 'lora'];
const UNKNOWN = [
  ['RECENTLY_STARTED', 'pod started 12 min ago; it can be judged after 35 min'],
  ['COVERAGE_TOO_LOW', 'GR_ENGINE_ACTIVE has 41 of 60 samples, and a gap of 7 min'],
  ['SERIES_MISSING', 'pod asked for 4 GPUs and series name 2; run the exporter on its node with DCGM_EXPORTER_KUBERNETES=true'],
  ['SHARED_GPU', 'the card is shared by 3 pods and was active, and nothing tells for whom'],
];

/** The same numbers each time, so that pictures can be compared. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = (list, dice) => list[Math.floor(dice() * list.length)];
const iso = (millis) => new Date(millis).toISOString().replace(/\.\d+Z$/, 'Z');
const clock = (millis) => iso(millis).slice(11, 16);
const allOf = (gpus) => (gpus === 1 ? 'its only GPU was' : `all ${gpus} GPUs were`);
const cents = (dollars) => Math.round(dollars * 100) / 100;

export class Fleet {
  constructor({ rows = 60, speed = 60, seed = 7, mode = 'scale-down', degraded = false, start = Date.UTC(2026, 10, 2, 10, 0) } = {}) {
    this.speed = speed;
    this.mode = mode;
    this.degraded = degraded;
    this.dice = random(seed);
    this.began = Date.now();
    this.start = start;
    this.history = [];
    this.workloads = new Map();
    for (let i = 0; i < rows; i++) {
      const workload = this.make(i);
      this.workloads.set(workload.workload, workload);
    }
    this.scaled = [...this.workloads.values()].find(({ kind, state }) => kind === 'Deployment' && state === 'BUSY')?.workload;
    this.seedHistory();
  }

  now() {
    return this.start + (Date.now() - this.began) * this.speed;
  }

  make(i) {
    const { dice } = this;
    const [model, price] = pick(MODELS, dice);
    const gpus = pick([1, 1, 1, 2, 4, 8, 8, 16], dice);
    const kind = pick(KINDS, dice);
    const namespace = pick(NAMESPACES, dice);
    const hostile = i === 3;
    const name = hostile
      ? 'x'.repeat(40) + '-a-name-as-long-as-kubernetes-lets-it-be-sixty-three'.slice(0, 23)
      : `${pick(FIRST, dice)}-${pick(SECOND, dice)}${i > 40 ? `-${i}` : ''}`;
    const state = hostile ? 'KEPT' : pick(['BUSY', 'BUSY', 'BUSY', 'IDLE', 'IDLE', 'KEPT', 'UNKNOWN', 'PAUSED'], dice);
    const row = { workload: `${kind}/${namespace}/${name}`, namespace, kind, name, gpus, models: [model], sparkStep: 60 };
    row.costPerHour = cents(gpus * price);
    this.become(row, state);
    if (hostile) {
      row.keep.reason = '<img src=x onerror="alert(1)"> \u202egnp.exe & <b>bold</b>';
      row.keep.by = '"><script>alert(2)</script>@example.com';
    }
    return row;
  }

  /** Turns a row into one of the given state, with everything that belongs to it and nothing else. */
  become(row, state) {
    const { dice } = this;
    const now = this.now();
    const price = row.costPerHour || row.gpus * 4;
    for (const field of ['use', 'idleSince', 'pausesAt', 'keep', 'pause', 'verdict', 'reason', 'sentence', 'action', 'next']) {
      delete row[field];
    }
    const idleFor = 30 + Math.floor(dice() * 45);
    row.state = state;
    row.costPerHour = cents(price);
    row.wastedPerHour = 0;
    row.idleGpus = 0;
    row.spark = Array.from({ length: 60 }, (_, i) => {
      const idle = state !== 'BUSY' && 60 - i < idleFor;
      return dice() < 0.02 ? null : Math.round((idle ? dice() * 0.004 : 0.55 + 0.4 * Math.sin(i / 5 + row.gpus) * dice()) * 1000) / 1000;
    });
    if (state === 'BUSY') {
      const partly = row.gpus > 1 && dice() < 0.3;
      row.use = Math.round((0.3 + dice() * 0.69) * 1000) / 1000;
      row.idleGpus = partly ? Math.floor(row.gpus / 2) : 0;
      row.wastedPerHour = cents((row.idleGpus / row.gpus) * price);
      Object.assign(row, {
        verdict: 'BUSY',
        reason: partly ? 'PARTLY_BUSY' : 'GPU_ACTIVE',
        sentence: partly ? `${row.idleGpus} of its ${row.gpus} GPUs are idle beside busy ones` : `its GPUs were active, at most ${Math.round(row.use * 100)} %`,
        action: 'NONE',
        next: 'nothing; it is in use',
      });
    } else if (state === 'UNKNOWN') {
      const [reason, sentence] = pick(UNKNOWN, dice);
      Object.assign(row, { verdict: 'UNKNOWN', reason, sentence, action: 'NONE', next: 'nothing, until what is missing is there' });
      row.spark = row.spark.map((value, i) => (i < 35 ? null : value));
    } else if (state === 'PAUSED') {
      const at = now - Math.floor(dice() * 40) * HOUR;
      row.pause = { at: iso(at), by: 'fallow', reason: `${allOf(row.gpus)} idle for 30 min`, gpus: row.gpus };
      Object.assign(row, { costPerHour: 0, spark: [], models: row.models });
      row.costBefore = price;
    } else {
      row.use = Math.round(dice() * 4) / 1000;
      row.idleGpus = row.gpus;
      row.wastedPerHour = cents(price);
      row.idleSince = iso(now - idleFor * MINUTE);
      row.verdict = 'IDLE';
      row.sentence = `${allOf(row.gpus)} below 1 % on every signal for 30 min in at least 57 looks at each`;
      if (state === 'KEPT') {
        this.keep(row, now + Math.ceil(dice() * 20) * HOUR, 'alice@example.com', 'demo on Friday');
      } else {
        row.reason = 'ALL_GPUS_IDLE';
        row.action = 'PAUSE';
        const pausesAt = now + (2 + dice() * 90) * MINUTE;
        row.pausesAt = iso(pausesAt);
        row.next = `is paused at ${clock(pausesAt)} unless it is kept`;
      }
    }
    return row;
  }

  keep(row, until, by, reason) {
    Object.assign(row, {
      state: row.verdict === 'IDLE' ? 'KEPT' : row.state,
      action: 'KEEP',
      keep: { until: iso(until), by, ...(reason && { reason }) },
      next: `nothing before ${clock(until)}: it is kept`,
    });
    if (row.verdict === 'IDLE') {
      row.reason = 'ACKNOWLEDGED';
    }
    delete row.pausesAt;
  }

  /** A row that was sent stays as it was; a change makes a new one. */
  change(row, act) {
    const copy = structuredClone(row);
    act(copy);
    this.workloads.set(copy.workload, copy);
    return copy;
  }

  done(row, verb, by, sentence, outcome = 'DONE') {
    const deed = {
      at: iso(this.now()),
      verb,
      outcome,
      workload: row.workload,
      gpus: row.gpus,
      dollarsPerHour: row.costPerHour || row.costBefore || 0,
      reason: verb === 'PAUSE' ? 'ALL_GPUS_IDLE' : 'BY_HAND',
      sentence,
      by,
      actionId: `a${this.history.length + 1}-${Math.floor(this.dice() * 1e9)}`,
    };
    this.history.unshift(deed);
    return deed;
  }

  seedHistory() {
    const rows = [...this.workloads.values()];
    for (let i = 0; i < 260; i++) {
      const row = pick(rows, this.dice);
      const verb = this.dice() < 0.7 ? 'PAUSE' : 'RESUME';
      const outcome = this.dice() < 0.06 ? 'FAILED' : 'DONE';
      const sentence = verb === 'PAUSE' ? `${allOf(row.gpus)} below 1 % on every signal for 30 min` : 'brought back exactly as it was';
      this.done(row, verb, verb === 'PAUSE' ? 'fallow' : 'alice@example.com', sentence, outcome);
      this.history[0].at = iso(this.now() - (260 - i) * 1.7 * HOUR);
    }
  }

  /** One cycle: what is due is paused, some fall idle, some wake up. Answers what changed. */
  cycle() {
    const changed = [];
    const altered = [];
    const deeds = [];
    const now = this.now();
    const share = Math.min(1, 30 / this.workloads.size);
    for (const row of [...this.workloads.values()]) {
      if (row.pausesAt && Date.parse(row.pausesAt) <= now) {
        changed.push(this.change(row, (copy) => {
          const gpus = copy.gpus;
          this.become(copy, 'PAUSED');
          copy.pause.at = iso(now);
          deeds.push(this.done(copy, 'PAUSE', 'fallow', `${allOf(gpus)} below 1 % on every signal for 30 min`));
        }));
      } else if (row.state === 'BUSY' && this.dice() < 0.02 * share) {
        changed.push(this.change(row, (copy) => this.become(copy, 'IDLE')));
      } else if (row.state === 'IDLE' && this.dice() < 0.02 * share) {
        changed.push(this.change(row, (copy) => this.become(copy, 'BUSY')));
      } else if (row.state === 'BUSY' && this.dice() < 0.3 * share) {
        const { workload, use } = this.change(row, (copy) => {
          copy.use = Math.round((0.3 + this.dice() * 0.69) * 1000) / 1000;
          copy.spark = [...copy.spark.slice(1), copy.use];
        });
        altered.push({ workload, use, sparkNew: [use] });
      }
    }
    return { changed, altered, deeds };
  }

  summary() {
    const gpus = { busy: 0, idle: 0, kept: 0, unknown: 0, free: 0, paused: 0 };
    const workloads = { busy: 0, idle: 0, kept: 0, unknown: 0, paused: 0 };
    let cost = 0;
    let wasted = 0;
    for (const row of this.workloads.values()) {
      workloads[row.state.toLowerCase()]++;
      gpus[row.state.toLowerCase()] += row.gpus - (row.state === 'BUSY' ? row.idleGpus : 0);
      gpus.idle += row.state === 'BUSY' ? row.idleGpus : 0;
      cost += row.costPerHour;
      wasted += row.wastedPerHour;
    }
    gpus.free = Math.round((gpus.busy + gpus.idle) * 0.12);
    return {
      at: iso(this.now()),
      cluster: 'prod-eu',
      version: '0.3.0',
      mode: this.mode,
      demo: this.speed !== 1,
      speed: this.speed,
      gpus,
      workloads,
      costPerHour: cents(cost),
      wastedPerHour: cents(wasted),
      wastedToday: cents(wasted * 9.4),
      savedToday: cents(wasted * 3.1),
      savedThisMonth: cents(wasted * 84),
      rule: { duration: '30m', gracePeriod: '5m', notice: '5m', checkInterval: '3m' },
      trend: this.trend(gpus),
      degraded: this.degraded
        ? [{ source: 'prometheus', sentence: 'did not answer within 30 s; verdicts rest on samples up to 09:48, and nothing is paused until it answers', since: iso(this.now() - 12 * MINUTE) }]
        : [],
    };
  }

  trend(gpus) {
    const hours = 168;
    const dice = random(11);
    const from = Math.floor(this.start / HOUR) * HOUR - hours * HOUR;
    const trend = { step: 3600, from: iso(from), busy: [], idle: [], kept: [], unknown: [], saved: [] };
    for (let i = 0; i < hours; i++) {
      const day = 0.75 + 0.25 * Math.sin(((i % 24) / 24) * 2 * Math.PI - 1.9);
      trend.busy.push(cents(gpus.busy * (day + dice() * 0.08)));
      trend.idle.push(cents(gpus.idle * (1.5 - day + dice() * 0.2)));
      trend.kept.push(cents(gpus.kept * (0.7 + dice() * 0.3)));
      trend.unknown.push(cents(gpus.unknown * (0.6 + dice() * 0.5)));
      trend.saved.push(cents(gpus.paused * (1.2 - day)));
    }
    return trend;
  }

  /** One workload has an autoscaler: one metric of pods, and one that nobody publishes. */
  autoscalers(row) {
    if (row.workload !== this.scaled || row.state === 'PAUSED') {
      return [];
    }
    const pod = (i) => `${row.name.slice(0, 40)}-7c9d8-${i}`;
    return [
      {
        hpa: `${row.namespace}/${row.name}`, scales: row.workload, minReplicas: 1, maxReplicas: 8, currentReplicas: 3,
        holds: false, desiredReplicas: 5,
        metrics: [
          {
            source: 'PODS', metric: 'gpu_utilization', targetType: 'AverageValue', target: 60, value: 91.5,
            at: iso(this.now() - 5000), windowSeconds: 0, proposal: 5,
            pods: [
              { pod: pod(0), standing: 'READY', value: 94, gpus: 1 },
              { pod: pod(1), standing: 'READY', value: 89, gpus: 1 },
              { pod: pod(2), standing: 'WARMING', leftOut: 'WARMING', why: 'it is warming up' },
            ],
          },
          {
            source: 'EXTERNAL', metric: 'vllm:num_requests_waiting', targetType: 'Value', target: 10,
            why: `there is no vllm:num_requests_waiting with these labels in the namespace ${row.namespace}`,
          },
        ],
        notes: ['gpu_utilization says whether a kernel ran: on a server of language models one request keeps it near 100, and this runs to maxReplicas'],
      },
    ];
  }

  why(row) {
    const now = Math.floor(this.now() / 1000);
    const pods = [];
    const timeline = [];
    const perPod = Math.min(8, row.gpus);
    const dice = random(row.workload.length * 31 + row.gpus);
    for (let p = 0; p < Math.ceil(row.gpus / perPod); p++) {
      const pod = `${row.name.slice(0, 40)}-7c9d8-${p}`;
      const node = `${row.models[0].includes('H100') ? 'h100' : 'gpu'}-${1 + ((p + row.gpus) % 12)}`;
      const devices = [];
      for (let g = 0; g < perPod && devices.length + p * perPod < row.gpus; g++) {
        const device = `GPU-${(0x5f3a0000 + p * 4096 + g * 17).toString(16)}-41d2-9c`;
        const idle = row.state !== 'BUSY' || g < row.idleGpus;
        const idleAt = row.idleSince ? Date.parse(row.idleSince) / 1000 : now - 7200;
        const points = [];
        for (let t = now - 5400; t <= now; t += 60) {
          if (t > now - 4200 && t < now - 3900 && g === 1) {
            continue;
          }
          points.push([t, idle && t >= idleAt ? Math.round(dice() * 4) / 1000 : Math.round((0.5 + dice() * 0.45) * 1000) / 1000]);
        }
        timeline.push({ pod, device, node, model: row.models[0], points });
        const mean = idle ? 0.001 : 0.71;
        devices.push({
          device, migInstance: null, node, model: row.models[0],
          state: row.state === 'UNKNOWN' ? 'UNKNOWN' : idle ? 'IDLE' : 'BUSY',
          shared: row.reason === 'SHARED_GPU', main: 'GR_ENGINE_ACTIVE',
          samples: row.state === 'UNKNOWN' ? 41 : 60, promised: 60, spacingSeconds: 30, longestGapSeconds: row.state === 'UNKNOWN' ? 420 : 30,
          covered: row.state !== 'UNKNOWN', lastActive: iso(idle ? idleAt * 1000 : this.now()),
          signals: [
            { signal: 'GR_ENGINE_ACTIVE', samples: 60, impossible: 0, mean, peak: idle ? 0.004 : 0.98, active: !idle },
            { signal: 'GPU_UTIL', samples: 60, impossible: 0, mean: mean * 100, peak: idle ? 0.4 : 100, active: !idle },
            { signal: 'POWER', samples: 60, impossible: g === 2 ? 3 : 0, mean: idle ? 71 : 540, peak: idle ? 74 : 690, active: false },
          ],
        });
      }
      pods.push({
        pod, node, phase: 'RUNNING', live: true, since: iso(this.now() - 60 * HOUR), asked: { 'nvidia.com/gpu': devices.length },
        ...(row.state === 'UNKNOWN' && { missing: row.reason, missingSentence: row.sentence }),
        devices,
      });
    }
    return {
      workload: row.workload, verdict: row.verdict, reason: row.reason, sentence: row.sentence, action: row.action, gpus: row.gpus,
      at: iso(this.now()), window: 'PT30M', judgedAfter: 'PT35M', idleThreshold: 0.01,
      owners: [`ReplicaSet/${row.namespace}/${row.name}-7c9d8`, row.workload], pods, next: row.next, timeline,
    };
  }

  nodes() {
    const slots = [];
    for (const row of this.workloads.values()) {
      if (row.state !== 'PAUSED') {
        for (let g = 0; g < row.gpus; g++) {
          const idle = row.state !== 'BUSY' || g < row.idleGpus;
          slots.push({ model: row.models[0], state: row.state === 'BUSY' && idle ? 'IDLE' : row.state, use: row.state === 'UNKNOWN' ? null : idle ? 0 : row.use, workload: row.workload });
        }
      }
    }
    const nodes = [];
    for (const [model] of MODELS) {
      const mine = slots.filter((slot) => slot.model === model);
      for (let n = 0; n * 8 < mine.length + 3; n++) {
        const gpus = Array.from({ length: 8 }, (_, g) => {
          const slot = mine[n * 8 + g];
          const device = `GPU-${nodes.length}-${g}`;
          return slot ? { device, state: slot.state, use: slot.use, workload: slot.workload } : { device, state: 'FREE', use: 0 };
        });
        nodes.push({ node: `${model.replace(/NVIDIA |Tesla |AMD Instinct /g, '').split(/[ -]/)[0].toLowerCase()}-${nodes.length + 1}`, model, gpus });
      }
    }
    return nodes;
  }

  savings(by, from, to) {
    const dice = random(by.length * 101);
    const keys = {
      day: () => {
        const days = [];
        for (let day = Date.parse(from); day < Math.min(Date.parse(to), this.now()); day += 24 * HOUR) {
          days.push(iso(day).slice(0, 10));
        }
        return days;
      },
      namespace: () => NAMESPACES,
      team: () => ['vision', 'language', 'unknown'],
      model: () => MODELS.map(([model]) => model),
      workload: () => [...this.workloads.keys()].slice(0, 200),
    }[by]();
    const items = keys.map((key) => {
      const row = { key, busy: cents(300 + dice() * 90), idle: cents(60 + dice() * 60), kept: cents(dice() * 30), unknown: cents(dice() * 20), saved: cents(40 + dice() * 80) };
      return { ...row, wastedDollars: cents(row.idle * 3.9), savedDollars: cents(row.saved * 4.1), costDollars: cents((row.busy + row.idle + row.kept + row.unknown) * 4) };
    });
    const total = { busy: 0, idle: 0, kept: 0, unknown: 0, saved: 0, wastedDollars: 0, savedDollars: 0, costDollars: 0 };
    items.forEach((row) => Object.keys(total).forEach((field) => (total[field] = cents(total[field] + row[field]))));
    return { from, to, by, items, total };
  }

  report() {
    const workload = [...this.workloads.keys()][0];
    const pausedAt = iso(this.now() - 3 * HOUR);
    const items = [{ workload, gpus: 8, pausedAt, resumedAt: iso(this.now() - 2.5 * HOUR), by: 'alice@example.com' }];
    return {
      change: { cost: 0.04, wasted: -0.22, saved: 0.31 },
      teams: [{ key: 'vision' }, { key: 'language' }, { key: 'unknown' }],
      regrets: { pauses: 40, regretted: 1, share: 0.025, withinMinutes: 60, items },
    };
  }
}
