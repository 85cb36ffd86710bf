import { expect, test } from 'vitest';
import type { Autoscaler, ScalingMetric } from '../src/api/types';
import { counted, few, figure, leftOut, outlook } from '../src/logic/autoscale';

const METRIC: ScalingMetric = {
  source: 'PODS',
  metric: 'gpu_utilization',
  proposal: 5,
  pods: [
    { pod: 'a', value: 90 },
    { pod: 'b', leftOut: 'WARMING', why: 'it is warming up' },
    { pod: 'c', leftOut: 'NO_SERIES', why: "no exporter's series names it" },
    { pod: 'd', leftOut: 'WARMING', why: 'it is warming up' },
  ],
};

const HPA: Autoscaler = {
  hpa: 'ml/web',
  scales: 'Deployment/ml/web',
  minReplicas: 1,
  maxReplicas: 8,
  currentReplicas: 3,
  holds: false,
  desiredReplicas: 5,
  metrics: [METRIC],
  notes: [],
};

test('what comes next is said beside what is now', () => {
  expect(outlook(HPA)).toBe('3 replicas now, 5 next');
  expect(outlook({ ...HPA, currentReplicas: 1, desiredReplicas: 1 })).toBe('1 replica now, 1 next');
});

test('one that holds says why, by the metrics that have no number', () => {
  const { desiredReplicas: _, ...rest } = HPA;
  const silent: ScalingMetric = { source: 'EXTERNAL', metric: 'queue', why: 'there is no queue' };
  expect(outlook({ ...rest, holds: true, metrics: [METRIC, silent] })).toBe('3 replicas now; holds: there is no queue');
  expect(outlook({ ...rest, holds: true, metrics: [] })).toBe('3 replicas now; holds');
});

test('one that CPU drives as well is told in part', () => {
  const { desiredReplicas: _, ...rest } = HPA;
  expect(outlook({ ...HPA, cpuOrMemoryToo: true })).toBe('3 replicas now, at least 5 next; CPU and memory may ask for more');
  expect(outlook({ ...rest, cpuOrMemoryToo: true })).toContain('is not known here');
});

test('pods are left out by reason', () => {
  expect(leftOut(METRIC)).toEqual([
    { why: 'it is warming up', pods: ['b', 'd'] },
    { why: "no exporter's series names it", pods: ['c'] },
  ]);
  expect(leftOut({ source: 'PODS', metric: 'm', pods: [{ pod: 'x', leftOut: 'NEW_REASON' }] })).toEqual([{ why: 'NEW_REASON', pods: ['x'] }]);
});

test('pods are counted where a metric is of pods', () => {
  expect(counted(METRIC)).toBe('1 of 4 counted');
  expect(counted({ source: 'EXTERNAL', metric: 'queue' })).toBe('');
});

test('many names are a few and a number', () => {
  expect(few(['a', 'b'])).toBe('a, b');
  expect(few(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
});

test('small numbers are not rounded away', () => {
  expect(figure(0.125)).toBe('0.125');
  expect(figure(undefined)).toBe('–');
  expect(figure(Number.NaN)).toBe('–');
});
