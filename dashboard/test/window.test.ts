import { describe, expect, test } from 'vitest';
import { apart, scrollTo, sliceOf } from '../src/logic/window';

describe('slice', () => {
  test('covers what is seen, and some beyond', () => {
    const { first, last } = sliceOf(50_000, 800, 50, 10_000);
    expect(first).toBeLessThanOrEqual(1000);
    expect(last).toBeGreaterThanOrEqual(1016);
    expect(last - first).toBeLessThan(50);
  });

  test.each([
    [-2000, 100],
    [0, 100],
    [4_999, 100],
    [1e9, 100],
    [0, 1],
    [300, 3],
  ])('scrolled to %i of %i rows it stays within the list and is not empty', (top, count) => {
    const { first, last } = sliceOf(top, 800, 50, count);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(last).toBeLessThanOrEqual(count);
    expect(last).toBeGreaterThan(first);
  });

  test('every row in view is in the slice, wherever it is scrolled to', () => {
    for (let top = 0; top < 5000; top += 7) {
      const { first, last } = sliceOf(top, 300, 50, 100);
      expect(first).toBeLessThanOrEqual(Math.floor(top / 50));
      expect(last).toBeGreaterThanOrEqual(Math.min(100, Math.ceil((top + 300) / 50)));
    }
  });

  test('an empty list has none', () => expect(sliceOf(0, 800, 50, 0)).toEqual({ first: 0, last: 0 }));
});

test('slices are apart if they share no row', () => {
  expect(apart({ first: 0, last: 10 }, { first: 10, last: 20 })).toBe(true);
  expect(apart({ first: 0, last: 10 }, { first: 9, last: 20 })).toBe(false);
  expect(apart({ first: 30, last: 40 }, { first: 10, last: 20 })).toBe(true);
});

describe('scrolling to a row', () => {
  // A list that begins 400 px down, seen through 600 px of which 80 are covered.
  const to = (index: number, scrolled: number) => scrollTo(index, 50, 400, scrolled, 600, 80);

  test('a row in view stays', () => expect(to(2, 200)).toBeUndefined());
  test('a row below comes up', () => expect(to(20, 0)).toBe(400 + 21 * 50 - 600 + 25));
  test('a row under the cover comes out', () => expect(to(5, 600)).toBe(400 + 5 * 50 - 80));
});
