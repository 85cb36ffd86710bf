import type { GpuCounts, GpuState, State } from '../api/types';

/** The states in the order they are always shown in; the letter tells them apart without colour. */
export const GPU_STATES: { key: keyof GpuCounts; state: GpuState; letter: string; meaning: string }[] = [
  { key: 'busy', state: 'BUSY', letter: 'B', meaning: 'in use' },
  { key: 'idle', state: 'IDLE', letter: 'I', meaning: 'held, proven idle' },
  { key: 'kept', state: 'KEPT', letter: 'K', meaning: 'idle, and somebody asked to keep it' },
  { key: 'unknown', state: 'UNKNOWN', letter: '?', meaning: 'neither proven busy nor idle' },
  { key: 'free', state: 'FREE', letter: '·', meaning: 'nobody holds it' },
  { key: 'paused', state: 'PAUSED', letter: 'P', meaning: 'given back by a pause' },
];

export const STATES: State[] = ['IDLE', 'KEPT', 'UNKNOWN', 'BUSY', 'PAUSED'];

/** Of a card that somebody holds whom we may not see, nothing else is known. */
const HELD = 'HELD';

export function letterOf(state: string): string {
  return state === HELD ? 'H' : GPU_STATES.find((known) => known.state === state)?.letter ?? '?';
}

/** A state that is not known here must not end up in a class name. */
export function stateClass(state: string): string {
  return state === HELD || GPU_STATES.some((known) => known.state === state) ? state.toLowerCase() : 'unknown';
}
