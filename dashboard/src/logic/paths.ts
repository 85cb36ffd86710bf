import type { Named } from '../api/client';

/** The workload that a path of the page names, if it is whole. */
export function named(path: string): Named | undefined {
  const match = /^\/workloads\/([^/]+)\/([^/]+)\/([^/]+)\/?$/.exec(path);
  if (!match) {
    return undefined;
  }
  try {
    const [namespace, kind, name] = match.slice(1).map(decodeURIComponent);
    return { namespace: namespace!, kind: kind!, name: name! };
  } catch {
    return undefined; // a stray percent sign
  }
}
