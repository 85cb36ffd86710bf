import { Cell } from './cell';

/** Our clock, once a second: what shows a relative time watches it. */
export const tick = new Cell(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') {
    tick.set(Date.now());
  }
}, 1000);
