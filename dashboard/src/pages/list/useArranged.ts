import { useMemo, useRef, useState } from 'preact/hooks';
import type { Workload } from '../../api/types';
import { filterOf, filterRows, holdOrder, sortOf, sortRows } from '../../logic/arrange';

/** The rows that are wanted, in order. While the pointer is over them news does not move them. */
export function useArranged(rows: ReadonlyMap<string, Workload>, query: URLSearchParams) {
  const filter = useMemo(() => filterOf(query), [query]);
  const order = query.get('sort');
  const sort = useMemo(() => sortOf(order), [order]);
  const sorted = useMemo(() => sortRows(rows.values(), sort), [rows, sort]);
  const [held, hold] = useState(false);
  const before = useRef<{ query: URLSearchParams; arranged: Workload[] }>(undefined);
  const arranged = useMemo(() => {
    const now = filterRows(sorted, filter);
    return held && before.current?.query === query ? holdOrder(before.current.arranged, now) : now;
  }, [sorted, query, held]);
  before.current = { query, arranged };
  return { arranged, filter, sort, hold };
}
