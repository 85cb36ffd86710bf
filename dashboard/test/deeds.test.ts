import { expect, test } from 'vitest';
import type { Deed } from '../src/api/types';
import { partsOf, withNewDeeds } from '../src/logic/deeds';
import { named } from '../src/logic/paths';
import { problemOf } from '../src/api/problem';

const ANY = { namespace: '', kind: '', name: '', verb: '' };

function deed(id: string, at: string, more: Partial<Deed> = {}): Deed {
  return { actionId: id, at, verb: 'PAUSE', outcome: 'DONE', workload: 'Deployment/ml/trainer', ...more };
}

test('new deeds come first, and each once', () => {
  const read = [deed('1', '2026-11-02T10:00:00Z')];
  const heard = [deed('1', '2026-11-02T10:00:00Z'), deed('2', '2026-11-02T11:00:00Z')];
  expect(withNewDeeds(read, heard, ANY).map((one) => one.actionId)).toEqual(['2', '1']);
});

test('an action that failed and was then done is two', () =>
  expect(withNewDeeds([deed('1', '2026-11-02T10:00:00Z', { outcome: 'FAILED' })], [deed('1', '2026-11-02T10:01:00Z')], ANY)).toHaveLength(2));

test('new deeds that the filter does not want stay away', () => {
  const heard = [deed('2', '2026-11-02T11:00:00Z')];
  expect(withNewDeeds([], heard, { ...ANY, verb: 'resume' })).toEqual([]);
  expect(withNewDeeds([], heard, { ...ANY, namespace: 'speech' })).toEqual([]);
  expect(withNewDeeds([], heard, { ...ANY, verb: 'pause', namespace: 'ml' })).toHaveLength(1);
});

test('a name of a workload has three parts', () => {
  expect(partsOf('RayCluster.ray.io/ml/x')).toEqual({ kind: 'RayCluster.ray.io', namespace: 'ml', name: 'x' });
  expect(partsOf('Deployment/ml/trainer and 3 more')?.name).toBe('trainer and 3 more');
  expect(partsOf('nonsense')).toBeUndefined();
});

test('a path names a workload, or none', () => {
  expect(named('/workloads/ml/RayCluster.ray.io/a%20b')).toEqual({ namespace: 'ml', kind: 'RayCluster.ray.io', name: 'a b' });
  expect(named('/workloads/ml/Deployment')).toBeUndefined();
  expect(named('/workloads/ml/Deployment/%zz')).toBeUndefined();
});

test('a problem is its sentence and its reason; what is not one is only a status', () => {
  const problem = problemOf(409, '{"title":"Conflict","status":409,"reason":"CONTESTED","detail":"Argo CD undid it."}');
  expect([problem.message, problem.reason]).toEqual(['Argo CD undid it.', 'CONTESTED']);
  expect(problemOf(502, '<html>Bad gateway</html>').reason).toBe('HTTP_502');
  expect(problemOf(401, '').needsSignIn).toBe(true);
});
