import type { Trend } from '../api/types';

/** Sums from the bottom up: the last is the outline of all. Missing values count as nothing. */
export function stack(layers: readonly (readonly number[])[], length: number): number[][] {
  const sums: number[][] = [];
  let below: number[] = new Array<number>(length).fill(0);
  for (const layer of layers) {
    below = below.map((sum, i) => sum + (layer[i] ?? 0));
    sums.push(below);
  }
  return sums;
}

export const TREND_LAYERS = ['busy', 'idle', 'kept', 'unknown', 'saved'] as const;

export function trendTimes(trend: Trend): number[] {
  const from = Date.parse(trend.from) / 1000;
  const length = Math.max(0, ...TREND_LAYERS.map((layer) => trend[layer]?.length ?? 0));
  return Array.from({ length }, (_, i) => from + i * trend.step);
}

/** A line must not run across a time in which nobody looked: a hole of three usual distances is left open. */
export function withGaps(points: readonly (readonly [number, number | null])[]): [number[], (number | null)[]] {
  const distances = points.slice(1).map((point, i) => point[0] - points[i]![0]);
  const usual = [...distances].sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 0;
  const times: number[] = [];
  const values: (number | null)[] = [];
  points.forEach(([time, value], i) => {
    const before = points[i - 1]?.[0];
    if (before !== undefined && usual > 0 && time - before > 3 * usual) {
      times.push(before + usual);
      values.push(null);
    }
    times.push(time);
    values.push(value);
  });
  return [times, values];
}

/** An SVG path of shares from 0 to 1, broken where nothing is known; a lone value is drawn as a dot. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  if (values.length === 0) {
    return '';
  }
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let path = '';
  let drawing = false;
  values.forEach((value, i) => {
    if (value === null || !Number.isFinite(value)) {
      drawing = false;
      return;
    }
    const x = round(i * step);
    const y = round(height - Math.min(1, Math.max(0, value)) * height);
    path += `${drawing ? 'L' : 'M'}${x} ${y}`;
    const next = values[i + 1];
    if (!drawing && (next === null || next === undefined)) {
      path += 'h0.01';
    }
    drawing = true;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
