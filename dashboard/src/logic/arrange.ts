import type { Workload } from '../api/types';

/** Which workloads are listed, and in which order. */

export const SORT_KEYS = ['waste', 'name', 'gpus', 'use', 'idle', 'cost', 'pause'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  /** Turned round from the order in which the key is usually wanted. */
  turned: boolean;
}

export interface Filter {
  words: string[];
  states: ReadonlySet<string>;
  namespace: string;
}

export function sortOf(text: string | null): Sort {
  const turned = text?.startsWith('-') ?? false;
  const key = SORT_KEYS.find((known) => known === (turned ? text!.slice(1) : text));
  return key ? { key, turned } : { key: 'waste', turned: false };
}

export function sortText({ key, turned }: Sort): string {
  return (turned ? '-' : '') + key;
}

export function filterOf(query: URLSearchParams): Filter {
  return {
    words: (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    states: new Set(query.getAll('state')),
    namespace: query.get('namespace') ?? '',
  };
}

/** What is searched in, made once for each row: with ten thousand of them a search then takes a few milliseconds. */
const haystacks = new WeakMap<Workload, string>();

export function haystack(row: Workload): string {
  let text = haystacks.get(row);
  if (text === undefined) {
    text = [row.workload, ...(row.models ?? []), row.reason, row.keep?.by].join('\n').toLowerCase();
    haystacks.set(row, text);
  }
  return text;
}

export function matches(row: Workload, filter: Filter): boolean {
  if (filter.namespace && row.namespace !== filter.namespace) {
    return false;
  }
  if (filter.states.size > 0 && !filter.states.has(row.state)) {
    return false;
  }
  return filter.words.every((word) => haystack(row).includes(word));
}

/** Smaller is further up. What is not known comes last, however the order is turned. */
const VALUES: Record<Exclude<SortKey, 'name'>, (row: Workload) => number> = {
  waste: (row) => -(row.wastedPerHour ?? 0),
  gpus: (row) => -row.gpus,
  use: (row) => row.use ?? NaN,
  idle: (row) => Date.parse(row.idleSince ?? ''),
  cost: (row) => -(row.costPerHour ?? NaN),
  pause: (row) => Date.parse(row.pausesAt ?? ''),
};

/**
 * The rows in order; equals stay as they come. Sorting is apart from filtering, because it is the dearer of the two and
 * does not depend on what is typed.
 */
export function sortRows(rows: Iterable<Workload>, sort: Sort): Workload[] {
  const sign = sort.turned ? -1 : 1;
  if (sort.key === 'name') {
    return [...rows].sort((a, b) => sign * compare(a.name, b.name));
  }
  const value = VALUES[sort.key];
  // Values are worked out once for each row, not once for each comparison.
  const keyed = Array.from(rows, (row) => ({ row, value: value(row) }));
  keyed.sort((a, b) => {
    const unknown = Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value));
    return unknown || sign * (a.value - b.value || 0);
  });
  return keyed.map(({ row }) => row);
}

export function filterRows(rows: readonly Workload[], filter: Filter): Workload[] {
  return rows.filter((row) => matches(row, filter));
}

/** Plain order of characters: comparing by the rules of a language takes ten times as long. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The new rows in the order of before, so that nothing moves away under the pointer; rows that were not there come last.
 */
export function holdOrder(before: readonly Workload[], now: readonly Workload[]): Workload[] {
  const left = new Map(now.map((row) => [row.workload, row]));
  const held: Workload[] = [];
  for (const { workload } of before) {
    const row = left.get(workload);
    if (row) {
      held.push(row);
      left.delete(workload);
    }
  }
  return [...held, ...left.values()];
}

export function countStates(rows: Iterable<Workload>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
  }
  return counts;
}

export function namespacesOf(rows: Iterable<Workload>): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    names.add(row.namespace);
  }
  return [...names].sort(compare);
}
