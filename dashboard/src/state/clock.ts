/** The server's clock as far as it is known here. The demo's runs faster than ours. */
export interface Clock {
  /** What the server's clock showed … */
  at: number;
  /** … when ours showed this. */
  heard: number;
  speed: number;
}

export function serverTime(clock: Clock, local: number): number {
  return clock.at + Math.max(0, local - clock.heard) * clock.speed;
}

/** How far the server's clock may seem to lie behind before it is believed to be another one: ten minutes of ours. */
const ANOTHER_CLOCK = 600_000;

/**
 * The clock after the server said what it shows. It says when it last looked at the cluster, which can be some minutes
 * ago, so a little less than expected is no reason to turn the clock back.
 */
export function heardClock(before: Clock | undefined, at: number, speed: number, local: number): Clock {
  if (!Number.isFinite(at)) {
    return before ?? { at: local, heard: local, speed: 1 };
  }
  if (before && before.speed === speed) {
    const expected = serverTime(before, local);
    if (expected > at && expected - at < ANOTHER_CLOCK * speed) {
      return { at: expected, heard: local, speed };
    }
  }
  return { at, heard: local, speed };
}
