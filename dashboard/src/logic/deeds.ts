import type { Deed } from '../api/types';

export interface DeedFilter {
  namespace: string;
  kind: string;
  name: string;
  verb: string;
}

/** Workloads are named Kind/namespace/name. */
export function partsOf(workload: string): { kind: string; namespace: string; name: string } | undefined {
  const [kind, namespace, ...rest] = workload.split('/');
  return kind && namespace && rest.length === 1 && rest[0] ? { kind, namespace, name: rest[0] } : undefined;
}

function wanted(deed: Deed, filter: DeedFilter): boolean {
  const parts = partsOf(deed.workload);
  return (
    (!filter.verb || deed.verb.toLowerCase() === filter.verb) &&
    (!filter.namespace || parts?.namespace === filter.namespace) &&
    (!filter.kind || parts?.kind === filter.kind) &&
    (!filter.name || parts?.name === filter.name)
  );
}

export function deedKey(deed: Deed): string {
  return [deed.actionId ?? `${deed.workload} ${deed.at}`, deed.verb, deed.outcome].join(' ');
}

/** Deeds that were heard of later, put before those that were read; each only once. */
export function withNewDeeds(read: readonly Deed[], heard: readonly Deed[], filter: DeedFilter): Deed[] {
  const known = new Set(read.map(deedKey));
  const fresh = heard.filter((deed) => wanted(deed, filter) && !known.has(deedKey(deed)));
  return [...fresh, ...read].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
