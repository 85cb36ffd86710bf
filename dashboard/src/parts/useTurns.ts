import { useEffect, useState } from 'preact/hooks';

/** Counts up now and then while the page is looked at, so that what depends on it is read again. */
export function useTurns(millis: number): number {
  const [turn, take] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') {
        take((before) => before + 1);
      }
    }, millis);
    return () => clearInterval(timer);
  }, [millis]);
  return turn;
}
