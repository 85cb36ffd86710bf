import { compare } from '../logic/arrange';
import type { FleetEvent, RowNews, Summary, Workload } from '../api/types';

/** Every workload that is known, by its name. */
export interface Fleet {
  rows: ReadonlyMap<string, Workload>;
  summary: Summary | undefined;
  /** Whether the workloads were read at all; an empty cluster is something else than one not read yet. */
  read: boolean;
  /**
   * Of the rows that show what somebody here has just done, what they were before. What the stream says next is about
   * those: it tells what has changed since it last spoke.
   */
  before: ReadonlyMap<string, Workload>;
}

export const NOTHING_READ: Fleet = { rows: new Map(), summary: undefined, read: false, before: new Map() };

/** The fleet after an event. Rows that did not change stay the same objects, so nothing is drawn again for them. */
export function merge(fleet: Fleet, event: FleetEvent): Fleet {
  const summary = event.summary ?? fleet.summary;
  const news = event.whole || event.changed.length > 0 || event.altered?.length || event.gone?.length;
  if (!news && fleet.before.size === 0) {
    return { ...fleet, summary };
  }
  const rows = new Map(event.whole ? [] : [...fleet.rows, ...fleet.before]);
  event.gone?.forEach((id) => rows.delete(id));
  // By name to begin with: what is equal in the order that is asked for then stands by name, for no further cost.
  const changed = event.whole ? [...event.changed].sort((a, b) => compare(a.workload, b.workload)) : event.changed;
  changed.forEach((row) => rows.set(row.workload, row));
  event.altered?.forEach((row) => {
    const known = rows.get(row.workload);
    if (known) {
      rows.set(row.workload, altered(known, row, event.steps ?? 0));
    }
  });
  // Changes before the whole fleet was read are only a part of it.
  return { rows, summary, read: fleet.read || event.whole === true, before: new Map() };
}

/** The fleet with a row as the server answered a change of it, until the stream speaks of it. */
export function answered(fleet: Fleet, row: Workload): Fleet {
  const before = new Map(fleet.before);
  const known = fleet.before.get(row.workload) ?? fleet.rows.get(row.workload);
  if (known) {
    before.set(row.workload, known);
  }
  return { ...fleet, rows: new Map(fleet.rows).set(row.workload, row), before };
}

function altered(row: Workload, { sparkNew, ...fields }: RowNews, steps: number): Workload {
  const next: Record<string, unknown> = { ...row, ...fields };
  Object.keys(fields).forEach((name) => fields[name] === null && delete next[name]);
  if (sparkNew && row.spark) {
    const kept = row.spark.slice(steps, steps + Math.max(0, row.spark.length - sparkNew.length));
    next.spark = [...kept, ...sparkNew];
  }
  return next as unknown as Workload;
}
