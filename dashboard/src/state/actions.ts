import { change, workloadApi } from '../api/client';
import { asProblem } from '../api/problem';
import type { Keep, Workload } from '../api/types';
import { moment } from '../logic/format';
import { stoodAlready } from '../logic/keeps';
import { answered } from './fleet';
import { fleet, serverNow } from './live';
import { complain, say } from './notices';
import { readMe, session, signInAsked, whyNoChange } from './session';

/** What a person can do to a workload. Each says what it did, or why it could not. */

/** Workloads with a change under way, so that a second click does nothing. */
const underWay = new Set<string>();

async function act(
  workload: Workload,
  doing: string,
  request: () => Promise<Workload | undefined>,
): Promise<Workload | undefined> {
  const why = whyNoChange(session.value);
  if (why) {
    signInAsked.set(why);
    return undefined;
  }
  if (underWay.has(workload.workload)) {
    return undefined;
  }
  underWay.add(workload.workload);
  try {
    const answer = await request();
    if (answer?.workload) {
      fleet.set(answered(fleet.value, answer));
    }
    return answer ?? workload;
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.needsSignIn) {
      await readMe();
      signInAsked.set(problem.message);
    } else {
      complain(problem, doing);
    }
    return undefined;
  } finally {
    underWay.delete(workload.workload);
  }
}

export async function keep(workload: Workload, hours: number, reason = ''): Promise<void> {
  const before = workload.keep ?? undefined;
  const kept = await act(workload, `${workload.name} was not kept`, () =>
    change('POST', workloadApi(workload, 'keep'), { hours, ...(reason && { reason }) }),
  );
  if (kept) {
    const until = kept.keep?.until ?? new Date(serverNow() + hours * 3_600_000).toISOString();
    if (stoodAlready(before, until)) {
      say(`${workload.name} is kept until ${moment(until, serverNow())} already; that stays.`);
      return;
    }
    say(`${workload.name} is kept until ${moment(until, serverNow())}.`, () => void undoKeep(kept, before));
  }
}

/** What was kept before is kept again as it was, not merely let go. */
async function undoKeep(workload: Workload, before: Keep | undefined): Promise<void> {
  if (!before || Date.parse(before.until) < serverNow()) {
    return endKeep(workload);
  }
  const { until, reason } = before;
  const kept = await act(workload, `The former keep of ${workload.name} was not restored`, () =>
    change('POST', workloadApi(workload, 'keep'), { until, ...(reason && { reason }) }),
  );
  if (kept) {
    say(`${workload.name} is kept until ${moment(until, serverNow())}, as before.`);
  }
}

export async function endKeep(workload: Workload): Promise<void> {
  const ended = await act(workload, `The keep of ${workload.name} was not ended`, () =>
    change('DELETE', workloadApi(workload, 'keep')),
  );
  if (ended) {
    say(`${workload.name} is no longer kept.`);
  }
}

export async function resume(workload: Workload): Promise<void> {
  const resumed = await act(workload, `${workload.name} was not resumed`, () =>
    change('POST', workloadApi(workload, 'resume')),
  );
  if (resumed) {
    say(`${workload.name} is brought back as it was before the pause.`);
  }
}

export async function pause(workload: Workload, reason: string): Promise<void> {
  const paused = await act(workload, `${workload.name} was not paused`, () =>
    change('POST', workloadApi(workload, 'pause'), { ...(reason && { reason }) }),
  );
  if (paused) {
    say(`${workload.name} is paused.`, () => void resume(paused));
  }
}
