import { expect, test } from 'vitest';
import { stoodAlready } from '../src/logic/keeps';

test('a keep that was longer already leaves nothing to undo', () => {
  const before = { until: '2026-11-03T12:00:00Z', by: 'bob' };
  expect(stoodAlready(before, '2026-11-03T12:00:00.000Z')).toBe(true);
  expect(stoodAlready(before, '2026-11-03T16:00:00Z')).toBe(false);
  expect(stoodAlready(undefined, '2026-11-03T16:00:00Z')).toBe(false);
});
