/** What to do about a stream that has ended, in milliseconds from now. */
export interface Plan {
  /** When to open it again. */
  retry: number;
  /** When to ask for the rows instead; not at all if undefined. */
  poll?: number;
}

export interface Loss {
  /** How often in a row there was no stream. */
  attempt: number;
  /** Whether the server has said that it has no place for one more. */
  full: boolean;
  /** Whether there is something to show. */
  read: boolean;
}

/** The server may have thousands of open pages: whoever has no place comes back after some minutes. */
const FULL = 120_000;

/** Of streams that do not come, so many are tried for each time that all rows are asked for. */
const TRIES = 3;

/** Seconds are doubled up to half a minute; the random part keeps many open pages from coming back all at once. */
export function backoff(attempts: number, random: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.max(0, attempts - 1)) * (0.75 + random / 2);
}

/**
 * A stream begins with all rows, so as a rule they are not asked for besides: a server that comes back would have to
 * answer every open page twice. But a proxy may let requests through and no stream, and a page has to show something.
 */
export function planFor({ attempt, full, read }: Loss, random: () => number): Plan {
  if (full) {
    const retry = FULL * (0.75 + random() / 2);
    return { retry, poll: random() * (read ? retry : 10_000) };
  }
  const retry = backoff(attempt, random());
  if (!read && attempt === 1) {
    return { retry, poll: random() * retry };
  }
  return attempt % TRIES === 0 ? { retry, poll: random() * retry } : { retry };
}
