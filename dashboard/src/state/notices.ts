import { asProblem } from '../api/problem';
import { Cell } from './cell';

export interface Notice {
  id: number;
  bad: boolean;
  text: string;
  reason?: string;
  undo?: () => void;
}

export const notices = new Cell<Notice[]>([]);

const SHOWN_FOR = 12_000;
const AT_MOST = 4;
let count = 0;

export function say(text: string, undo?: () => void): void {
  const id = add({ bad: false, text, ...(undo && { undo }) });
  setTimeout(() => dismiss(id), SHOWN_FOR);
}

/** A problem stays until it is closed. */
export function complain(thrown: unknown, doing: string): void {
  const problem = asProblem(thrown);
  add({ bad: true, text: `${doing}: ${problem.message}`, reason: problem.reason });
}

export function dismiss(id: number): void {
  notices.set(notices.value.filter((notice) => notice.id !== id));
}

function add(notice: Omit<Notice, 'id'>): number {
  const id = ++count;
  notices.set([...notices.value, { ...notice, id }].slice(-AT_MOST));
  return id;
}
