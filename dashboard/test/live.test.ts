import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noAnswer } from '../src/api/problem';
import type { ServerEvent } from '../src/api/sse';
import { backoff, planFor } from '../src/state/retry';

const said = vi.hoisted(() => ({ event: 'full', streams: 0, requests: [] as string[] }));

vi.mock('../src/api/stream', () => ({
  readStream: async (_: AbortSignal, on: (event: ServerEvent) => void) => {
    said.streams++;
    if (said.event) {
      on({ event: said.event, data: '{}' });
    }
    throw noAnswer();
  },
}));
vi.mock('../src/api/client', () => ({
  get: async (path: string) => {
    said.requests.push(path);
    return path.includes('summary') ? { at: '2026-11-02T10:00:00Z' } : { at: '', items: [], next: null };
  },
  change: async () => undefined,
  useToken: () => undefined,
}));

const { connect, fleet, line } = await import('../src/state/live');

describe('a stream that has ended', () => {
  test('is tried again later and later, and never by all at once', () => {
    expect([1, 2, 3, 9].map((attempt) => backoff(attempt, 0.5))).toEqual([1000, 2000, 4000, 30_000]);
    expect(backoff(1, 0)).toBeLessThan(backoff(1, 0.9));
  });
  test('is not a reason to ask for all rows: the next one begins with them', () => {
    const polls = [1, 2, 3, 4, 5, 6].filter((attempt) => planFor({ attempt, full: false, read: true }, () => 0.5).poll !== undefined);
    expect(polls).toEqual([3, 6]);
  });
  test('is one if there is nothing to show', () =>
    expect(planFor({ attempt: 1, full: false, read: false }, () => 0.5).poll).toBeLessThan(1000));
  test('for want of a place is tried again after minutes; rows are asked for at any time in between', () => {
    const plan = planFor({ attempt: 1, full: true, read: true }, () => 0.5);
    expect(plan.retry).toBe(120_000);
    expect(plan.poll).toBe(60_000);
  });
});

describe('the line', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    Object.assign(said, { streams: 0, requests: [] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('waits long where there is no place, and says so', async () => {
    connect();
    await vi.advanceTimersByTimeAsync(4000);
    expect(said).toMatchObject({ streams: 1, requests: [] });
    expect(line.value.problem?.reason).toBe('FULL');
    await vi.advanceTimersByTimeAsync(6000);
    expect(said.requests).toEqual(['/api/v1/summary', '/api/v1/workloads?limit=10000']);
    expect(fleet.value.read).toBe(true);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(said.streams).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(said.streams).toBe(2);
  });

  test('asks for no rows when it was lost once', async () => {
    said.event = '';
    connect();
    await vi.advanceTimersByTimeAsync(900);
    expect(said).toMatchObject({ streams: 1, requests: [] });
  });
});
