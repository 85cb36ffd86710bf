import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { apart, sliceOf, type Slice } from '../../logic/window';

const GUESS = 58;

/** From one row to the next, which includes the room between cards. */
function heightOf([one, two]: NodeListOf<HTMLElement>): number {
  return one && two ? two.offsetTop - one.offsetTop : (one?.offsetHeight ?? 0);
}

/** Which of many rows of equal height are in view, as the window is scrolled. The height is measured, so it follows the size of the type. */
export function useSlice(body: RefObject<HTMLElement | null>, count: number): Slice & { rowHeight: number } {
  const [rowHeight, setRowHeight] = useState(GUESS);
  const [slice, setSlice] = useState<Slice>({ first: 0, last: Math.min(count, 30) });
  const latest = useRef({ count, rowHeight, slice });
  latest.current = { count, rowHeight, slice: latest.current.slice };

  const look = useCallback(() => {
    const element = body.current;
    if (element) {
      const top = -element.getBoundingClientRect().top;
      const { count, rowHeight, slice } = latest.current;
      let next = sliceOf(top, window.innerHeight, rowHeight, count);
      if (apart(slice, next)) {
        // A far jump: first what is seen, and what is beyond when that is on the screen. An animation frame asked for
        // while scrolling would still be this one.
        next = sliceOf(top, window.innerHeight, rowHeight, count, 0);
        setTimeout(look, 50);
      }
      if (slice.first !== next.first || slice.last !== next.last) {
        latest.current.slice = next;
        setSlice(next);
      }
    }
  }, []);
  const measure = useCallback(() => {
    const height = body.current && heightOf(body.current.querySelectorAll<HTMLElement>('.row'));
    if (height) {
      setRowHeight(height);
    }
    look();
  }, []);

  // Measuring makes the browser lay the page out, so it is done when the height can have changed, not on every drawing.
  useLayoutEffect(measure, [count > 0, rowHeight]);
  useLayoutEffect(look, [count]);
  useEffect(() => {
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', measure);
    };
  }, []);

  const last = Math.min(slice.last, count);
  return { first: Math.min(slice.first, last), last, rowHeight };
}
