import { compare } from '../logic/arrange';
import type { FleetEvent, Summary, Workload } from '../api/types';

/** Every workload that is known, by its name. */
export interface Fleet {
  rows: ReadonlyMap<string, Workload>;
  summary: Summary | undefined;
  /** Whether the workloads were read at all; an empty cluster is something else than one not read yet. */
  read: boolean;
}

export const NOTHING_READ: Fleet = { rows: new Map(), summary: undefined, read: false };

/** The fleet after an event. Rows that did not change stay the same objects, so nothing is drawn again for them. */
export function merge(fleet: Fleet, event: FleetEvent): Fleet {
  const summary = event.summary ?? fleet.summary;
  if (!event.whole && event.changed.length === 0 && !event.gone?.length) {
    return { ...fleet, summary };
  }
  const rows = new Map(event.whole ? [] : fleet.rows);
  event.gone?.forEach((id) => rows.delete(id));
  // By name to begin with: what is equal in the order that is asked for then stands by name, for no further cost.
  const changed = event.whole ? [...event.changed].sort((a, b) => compare(a.workload, b.workload)) : event.changed;
  changed.forEach((row) => rows.set(row.workload, row));
  // Changes before the whole fleet was read are only a part of it.
  return { rows, summary, read: fleet.read || event.whole === true };
}
