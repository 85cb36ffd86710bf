import { get } from '../api/client';
import { asProblem, Problem } from '../api/problem';
import { readStream } from '../api/stream';
import type { Deed, FleetEvent, Summary, WorkloadPage } from '../api/types';
import { payIn } from '../logic/format';
import { Cell } from './cell';
import { heardClock, serverTime, type Clock } from './clock';
import { merge, NOTHING_READ, type Fleet } from './fleet';
import { planFor } from './retry';
import { readMe, session } from './session';

/** Keeps the fleet as the server sees it: by the stream, and by asking now and then while there is none. */

export const fleet = new Cell<Fleet>(NOTHING_READ);
export const clock = new Cell<Clock>({ at: Date.now(), heard: Date.now(), speed: 1 });
export const newDeeds = new Cell<Deed[]>([]);

export interface Line {
  live: boolean;
  /** The server's time when the line was lost, and ours when it is tried again. */
  lostAt?: number;
  retryAt?: number;
  problem?: Problem;
}

export const line = new Cell<Line>({ live: false });

let clockKnown = false;
let attempt = 0;
let running: AbortController | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let polling: ReturnType<typeof setTimeout> | undefined;

export function serverNow(): number {
  return serverTime(clock.value, Date.now());
}

export function connect(): void {
  clearTimeout(waiting);
  clearTimeout(polling);
  running?.abort();
  const own = new AbortController();
  running = own;
  let full = false;
  readStream(own.signal, ({ event, data }) => {
    if (event === 'fleet') {
      take(JSON.parse(data) as FleetEvent);
      attempt = 0;
      if (!line.value.live) {
        line.set({ live: true });
      }
    } else if (event === 'history') {
      newDeeds.set((JSON.parse(data) as { items: Deed[] }).items);
    } else if (event === 'full') {
      full = true;
    }
  }).catch((thrown: unknown) => {
    if (running === own) {
      lost(full ? NO_PLACE : asProblem(thrown), full);
    }
  });
}

export function take(event: FleetEvent): void {
  const speed = event.summary?.speed ?? fleet.value.summary?.speed ?? 1;
  clock.set(heardClock(clockKnown ? clock.value : undefined, Date.parse(event.at), speed, Date.now()));
  clockKnown = true;
  payIn(event.summary?.currency);
  fleet.set(merge(fleet.value, event));
}

const NO_PLACE = new Problem(
  0,
  'FULL',
  'Too many pages are open for this one to be told of every change. It asks every few minutes; close others of yours.',
);

function lost(problem: Problem, full: boolean): void {
  attempt++;
  const plan = planFor({ attempt, full, read: fleet.value.read }, Math.random);
  line.set({ live: false, lostAt: line.value.lostAt ?? serverNow(), retryAt: Date.now() + plan.retry, problem });
  if (problem.needsSignIn) {
    session.set({ me: session.value.me, problem });
    void readMe(); // a session that has ended: who we are now, and how to sign in again
    return; // trying again without a name would only be refused again
  }
  waiting = setTimeout(connect, plan.retry);
  if (plan.poll !== undefined) {
    polling = setTimeout(() => void poll(), plan.poll);
  }
}

/** A proxy may let requests through and no stream. Then the page is a little late, and says so. */
async function poll(): Promise<void> {
  try {
    const summary = await get<Summary>('/api/v1/summary');
    const changed: FleetEvent['changed'] = [];
    let cursor: string | null = null;
    do {
      const page: WorkloadPage = await get(
        `/api/v1/workloads?limit=10000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      );
      changed.push(...page.items);
      cursor = page.next;
    } while (cursor);
    if (!line.value.live) {
      take({ at: summary.at, summary, changed, whole: true });
    }
  } catch {
    // The line already says that there is no answer.
  }
}

export function startLive(): void {
  connect();
  const again = () => {
    if (!line.value.live && document.visibilityState === 'visible') {
      connect();
    }
  };
  window.addEventListener('online', again);
  document.addEventListener('visibilitychange', again);
}
