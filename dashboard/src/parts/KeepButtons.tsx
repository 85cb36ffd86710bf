import type { Workload } from '../api/types';
import { endKeep, keep, resume } from '../state/actions';
import { Cell, useCell } from '../state/cell';
import { session, whyNoChange } from '../state/session';

/** The workload for which a keep of another length is being written. */
export const customKeep = new Cell<Workload | undefined>(undefined);

const HOURS = [4, 8, 24];

/** What can be done to a workload from where it is listed. Without the right to, the buttons say how to get it. */
export function KeepButtons({ workload }: { workload: Workload }) {
  const why = whyNoChange(useCell(session));
  const name = workload.name;
  if (workload.state === 'PAUSED') {
    return (
      <button type="button" class="primary" title={why} onClick={() => void resume(workload)} aria-label={`Resume ${name}`}>
        Resume
      </button>
    );
  }
  return (
    <span class="keep" role="group" aria-label={`Keep ${name}`}>
      <span class="verb" aria-hidden="true">
        Keep
      </span>
      {HOURS.map((hours) => (
        <button
          type="button"
          key={hours}
          title={why ?? `Keep ${name} for ${hours} hours`}
          aria-label={`${hours}h: keep ${name} for ${hours} hours`}
          onClick={() => void keep(workload, hours)}
        >
          {hours}h
        </button>
      ))}
      <button
        type="button"
        title={why ?? 'Another length, or with a reason'}
        aria-label={`… keep ${name} for another time, or with a reason`}
        onClick={() => customKeep.set(workload)}
      >
        …
      </button>
      {workload.keep && (
        <button type="button" title={why} aria-label={`End: no longer keep ${name}`} onClick={() => void endKeep(workload)}>
          End
        </button>
      )}
    </span>
  );
}
