import { useEffect, useState } from 'preact/hooks';
import { get } from '../api/client';
import { asProblem, type Problem } from '../api/problem';
import { useCell } from '../state/cell';
import { signedIn } from '../state/session';

export interface Fetched<T> {
  data: T | undefined;
  problem: Problem | undefined;
  again: () => void;
}

/**
 * What a path answers. While the same path is read again what was there stays; signing in reads again by itself.
 */
export function useFetched<T>(path: string | undefined, fresh: unknown = 0): Fetched<T> {
  const [held, hold] = useState<{ path?: string; data?: T; problem?: Problem }>({});
  const [count, recount] = useState(0);
  const who = useCell(signedIn);
  useEffect(() => {
    if (!path) {
      return;
    }
    const stop = new AbortController();
    get<T>(path, stop.signal)
      .then((data) => hold({ path, data }))
      .catch((thrown: unknown) => {
        if (!stop.signal.aborted) {
          hold((before) => ({ ...(before.path === path && before), path, problem: asProblem(thrown) }));
        }
      });
    return () => stop.abort();
  }, [path, fresh, count, who]);
  const mine = held.path === path ? held : {};
  return { data: mine.data, problem: mine.problem, again: () => recount(count + 1) };
}
