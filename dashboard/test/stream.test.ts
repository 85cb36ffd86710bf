import { describe, expect, test } from 'vitest';
import { EventCutter } from '../src/api/sse';
import type { Workload } from '../src/api/types';
import { heardClock, serverTime } from '../src/state/clock';
import { answered, merge, NOTHING_READ } from '../src/state/fleet';

const TEXT = ': hello\n\nevent: fleet\ndata: {"at":1}\n\nevent: history\r\ndata: a\r\ndata: b\r\n\r\ndata:c\n\nevent: empty\n\n';
const EVENTS = [
  { event: 'fleet', data: '{"at":1}' },
  { event: 'history', data: 'a\nb' },
  { event: 'message', data: 'c' },
];

describe('an event stream', () => {
  test('is cut into events; comments and events without data are none', () =>
    expect(new EventCutter().push(TEXT)).toEqual(EVENTS));

  test('may be cut anywhere', () => {
    for (let size = 1; size < TEXT.length; size++) {
      const cutter = new EventCutter();
      const found = [];
      for (let from = 0; from < TEXT.length; from += size) {
        found.push(...cutter.push(TEXT.slice(from, from + size)));
      }
      expect(found, `pieces of ${size}`).toEqual(EVENTS);
    }
  });
});

function workload(name: string, gpus = 1): Workload {
  return { workload: `Deployment/ml/${name}`, namespace: 'ml', kind: 'Deployment', name, state: 'IDLE', gpus };
}

describe('the fleet', () => {
  const whole = merge(NOTHING_READ, { at: '', changed: [workload('a'), workload('b')], whole: true });

  test('takes changes, additions and losses', () => {
    const after = merge(whole, { at: '', changed: [workload('b', 4), workload('c')], gone: ['Deployment/ml/a'] });
    expect([...after.rows.values()].map((row) => `${row.name}${row.gpus}`)).toEqual(['b4', 'c1']);
  });
  test('keeps the object of a row that did not change', () => {
    const after = merge(whole, { at: '', changed: [workload('b', 4)] });
    expect(after.rows.get('Deployment/ml/a')).toBe(whole.rows.get('Deployment/ml/a'));
  });
  test('forgets what a whole one does not name', () =>
    expect([...merge(whole, { at: '', changed: [workload('z')], whole: true }).rows.keys()]).toEqual(['Deployment/ml/z']));
  test('is by name to begin with', () => {
    const read = merge(NOTHING_READ, { at: '', changed: [workload('b'), workload('a')], whole: true });
    expect([...read.rows.values()].map((row) => row.name)).toEqual(['a', 'b']);
  });
  test('is not read before it was read as a whole', () => {
    expect(merge(NOTHING_READ, { at: '', changed: [workload('a')] }).read).toBe(false);
    expect(whole.read).toBe(true);
    expect(merge(whole, { at: '', changed: [] }).read).toBe(true);
  });
  test('takes what has become of a row, and leaves the rest of it', () => {
    const was = { ...workload('a'), spark: [0.1, 0.2, null, 0.4], use: 0.4, pausesAt: 'noon' };
    const known = merge(NOTHING_READ, { at: '', changed: [was], whole: true });
    const news = { workload: was.workload, use: 0.9, pausesAt: null, sparkNew: [0.3, 0.4, 0.9] };
    const after = merge(known, { at: '', changed: [], altered: [news, { workload: 'Deployment/ml/none', use: 1 }], steps: 1 });
    expect([...after.rows.values()]).toEqual([{ ...workload('a'), spark: [0.2, 0.3, 0.4, 0.9], use: 0.9 }]);
    expect(was.spark).toEqual([0.1, 0.2, null, 0.4]);
  });
  test('takes a curve that only goes on', () => {
    const known = merge(NOTHING_READ, { at: '', changed: [{ ...workload('a'), spark: [1, 2, 3, 4] }], whole: true });
    const after = merge(known, { at: '', changed: [], altered: [{ workload: 'Deployment/ml/a', sparkNew: [5, 6] }], steps: 2 });
    expect(after.rows.get('Deployment/ml/a')?.spark).toEqual([3, 4, 5, 6]);
  });
  test('shows what somebody here did until the stream speaks, which speaks of what was before', () => {
    const done = answered(answered(whole, { ...workload('a'), state: 'KEPT' }), { ...workload('a'), next: 'soon' });
    expect(done.rows.get('Deployment/ml/a')?.next).toBe('soon');
    const after = merge(done, { at: '', changed: [] });
    expect(after.rows.get('Deployment/ml/a')).toBe(whole.rows.get('Deployment/ml/a'));
    expect(merge(after, { at: '', changed: [] }).rows).toBe(after.rows);
    expect(merge(done, { at: '', changed: [], gone: ['Deployment/ml/a'] }).rows.has('Deployment/ml/a')).toBe(false);
  });
  test('does not touch the rows if there is no news', () =>
    expect(merge(whole, { at: '', changed: [], gone: [] }).rows).toBe(whole.rows));
});

describe('the clock', () => {
  const clock = heardClock(undefined, 1_000_000, 60, 5000);

  test('runs as fast as the server says', () => expect(serverTime(clock, 6000)).toBe(1_060_000));
  test('follows the server ahead', () => expect(serverTime(heardClock(clock, 2_000_000, 60, 6000), 6000)).toBe(2_000_000));
  test('is not turned back by an old look', () =>
    expect(serverTime(heardClock(clock, 1_030_000, 60, 6000), 6000)).toBe(1_060_000));
  test('is turned back to another clock', () => {
    const late = heardClock(undefined, 1e12, 1, 0);
    expect(serverTime(heardClock(late, 5_000_000, 1, 1000), 1000)).toBe(5_000_000);
  });
  test('survives a time that cannot be read', () => expect(heardClock(clock, NaN, 60, 6000)).toBe(clock));
});
