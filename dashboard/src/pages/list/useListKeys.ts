import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Workload } from '../../api/types';
import { scrollTo } from '../../logic/window';
import { workloadPage } from '../../parts/Link';
import { keep } from '../../state/actions';
import { onKeys } from '../../state/keys';
import { go } from '../../state/route';

interface List {
  rows: Workload[];
  rowHeight: number;
  selected: string | undefined;
  select: (id: string) => void;
  body: RefObject<HTMLElement | null>;
  search: RefObject<HTMLInputElement | null>;
}

/** The keys of the list: search, move, open, keep. */
export function useListKeys(now: List): void {
  // Keys may come faster than the page is drawn, so what they did is noted here at once.
  const latest = useRef(now);
  latest.current = now;
  useEffect(
    () => onKeys((key) => {
      const list = latest.current;
      const index = list.rows.findIndex((row) => row.workload === list.selected);
      const row = list.rows[index];
      switch (key) {
        case '/':
          list.search.current?.focus();
          list.search.current?.select();
          return true;
        case 'j':
          move(latest, Math.min(list.rows.length - 1, index + 1));
          return true;
        case 'k':
          move(latest, Math.max(0, index - 1));
          return true;
        case 'Enter':
          if (row) {
            go(workloadPage(row));
          }
          return row !== undefined;
        case '4':
        case '8':
          if (row && row.state !== 'PAUSED') {
            void keep(row, Number(key));
          }
          return true;
        default:
          return false;
      }
    }),
    [],
  );
}

function move(latest: { current: List }, index: number): void {
  const list = latest.current;
  const row = list.rows[index];
  const body = list.body.current;
  if (!row || !body) {
    return;
  }
  latest.current = { ...list, selected: row.workload };
  list.select(row.workload);
  const listTop = body.getBoundingClientRect().top + window.scrollY;
  const covered = ['.filters', '.list-head'].reduce((sum, part) => sum + (document.querySelector<HTMLElement>(part)?.offsetHeight ?? 0), 0);
  const to = scrollTo(index, list.rowHeight, listTop, window.scrollY, window.innerHeight, covered);
  if (to !== undefined) {
    window.scrollTo(0, to);
  }
  // The row may only be drawn after the scrolling; then its name gets the focus, so that a screen reader reads it. By
  // then another key may have moved on.
  const focus = () => {
    if (latest.current.selected === row.workload) {
      body.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.workload)}"] .name`)?.focus({ preventScroll: true });
    }
  };
  requestAnimationFrame(() => requestAnimationFrame(focus));
}
