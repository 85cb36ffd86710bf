import { noAnswer, problemOf } from './problem';

const TOKEN = 'fallow.token';

/** The bearer token lives as long as the tab; storage may be forbidden, then it lives as long as the page. */
let remembered = '';
try {
  remembered = sessionStorage.getItem(TOKEN) ?? '';
} catch {
  remembered = '';
}

export function token(): string {
  return remembered;
}

export function useToken(value: string): void {
  remembered = value;
  try {
    if (value) {
      sessionStorage.setItem(TOKEN, value);
    } else {
      sessionStorage.removeItem(TOKEN);
    }
  } catch {
    // Remembered in memory only.
  }
}

export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has('Accept')) {
    headers.set('Accept', 'application/json');
  }
  if (remembered) {
    headers.set('Authorization', `Bearer ${remembered}`);
  }
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  } catch (failure) {
    if (init.signal?.aborted) {
      throw failure;
    }
    throw noAnswer();
  }
  if (!response.ok) {
    throw problemOf(response.status, await response.text().catch(() => ''));
  }
  return response;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await ask(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** A change. The extra header is what a page of somebody else cannot send. */
export async function change<T>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T | undefined> {
  const headers: Record<string, string> = { 'X-Requested-With': 'fallow' };
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  const response = await ask(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  return text ? (JSON.parse(text) as T) : undefined;
}

export interface Named {
  namespace: string;
  kind: string;
  name: string;
}

export function workloadApi(workload: Named, part = ''): string {
  const { namespace, kind, name } = workload;
  const path = [namespace, kind, name].map(encodeURIComponent).join('/');
  return `/api/v1/workloads/${path}${part && `/${part}`}`;
}
