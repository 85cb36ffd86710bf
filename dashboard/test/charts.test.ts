import { describe, expect, test } from 'vitest';
import { sparkPath, stack, trendTimes, withGaps } from '../src/logic/chartdata';

test('layers are stacked, and a short one counts as nothing where it ends', () =>
  expect(stack([[1, 2], [3], [5, 5]], 2)).toEqual([[1, 2], [4, 2], [9, 7]]));

test('the trend has a time for each hour', () => {
  const trend = { step: 3600, from: '2026-11-02T00:00:00Z', busy: [1, 2, 3], idle: [], kept: [], unknown: [], saved: [] };
  const start = Date.UTC(2026, 10, 2) / 1000;
  expect(trendTimes(trend)).toEqual([start, start + 3600, start + 7200]);
});

describe('a line over time', () => {
  test('is broken where nobody looked', () => {
    const [times, values] = withGaps([[0, 0.1], [60, 0.2], [120, 0.3], [600, 0.4]]);
    expect(times).toEqual([0, 60, 120, 180, 600]);
    expect(values).toEqual([0.1, 0.2, 0.3, null, 0.4]);
  });
  test('is not broken by a late sample', () => expect(withGaps([[0, 1], [60, 1], [180, 1]])[1]).toEqual([1, 1, 1]));
  test('of one point or none is that', () => {
    expect(withGaps([])).toEqual([[], []]);
    expect(withGaps([[5, 1]])).toEqual([[5], [1]]);
  });
});

describe('a sparkline', () => {
  test('goes from left to right and up with use', () => expect(sparkPath([0, 0.5, 1], 10, 4)).toBe('M0 4L5 2L10 0'));
  test('is broken where nothing is known', () => expect(sparkPath([0, 1, null, 1, 1], 4, 4)).toBe('M0 4L1 0M3 0L4 0'));
  test('shows a lone value', () => expect(sparkPath([null, 1, null], 2, 4)).toBe('M1 0h0.01'));
  test('stays in its box', () => expect(sparkPath([-3, 7], 1, 4)).toBe('M0 4L1 0'));
});
