import { change, get, useToken } from '../api/client';
import { asProblem, type Problem } from '../api/problem';
import type { Me } from '../api/types';
import { Cell } from './cell';

/** Who the server takes us for, or why it does not know. */
export interface Session {
  me: Me | undefined;
  problem: Problem | undefined;
}

export const session = new Cell<Session>({ me: undefined, problem: undefined });

/** Why the sign-in dialog is open; undefined while it is closed. */
export const signInAsked = new Cell<string | undefined>(undefined);

/** Counts how often somebody signed in or out, so that what was refused before is asked for again. */
export const signedIn = new Cell(0);

export async function readMe(): Promise<void> {
  try {
    session.set({ me: await get<Me>('/api/v1/me'), problem: undefined });
  } catch (thrown) {
    session.set({ me: undefined, problem: asProblem(thrown) });
  }
}

export function waysToSignIn({ me, problem }: Session): string[] {
  const ways = me?.signIn ?? problem?.signIn ?? [];
  return ways.length > 0 || me ? ways : ['token'];
}

/** Why changes cannot be made, or nothing if they can. Unknown counts as can: the server has the last word. */
export function whyNoChange({ me, problem }: Session): string | undefined {
  if (problem?.needsSignIn) {
    return problem.message;
  }
  if (me && !me.mayChange) {
    return me.name && me.by !== 'none'
      ? `You are ${me.name}, and may look but not change anything. Sign in as somebody who may, or ask for the right to change the workload.`
      : 'Sign in to keep, pause or resume workloads: each change is made in your name.';
  }
  return undefined;
}

export async function signInByToken(token: string): Promise<Problem | undefined> {
  useToken(token);
  await readMe();
  const { problem } = session.value;
  if (problem) {
    useToken('');
    await readMe(); // what else there is to sign in with
  } else {
    signedIn.set(signedIn.value + 1);
  }
  return problem;
}

export async function signInByEmail(email: string): Promise<Problem | undefined> {
  try {
    await change('POST', '/api/v1/session', { email });
    await readMe();
    signedIn.set(signedIn.value + 1);
    return session.value.problem;
  } catch (thrown) {
    return asProblem(thrown);
  }
}

/** Where one signs in at the issuer, and comes back to where one is. */
export function loginAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `/auth/login?return=${encodeURIComponent(pathname + search)}`;
}

export async function signOut(): Promise<Problem | undefined> {
  try {
    await change('DELETE', '/api/v1/session');
    await readMe();
    signedIn.set(signedIn.value + 1);
    return undefined;
  } catch (thrown) {
    return asProblem(thrown);
  }
}

export function forgetToken(): void {
  useToken('');
  signedIn.set(signedIn.value + 1);
  void readMe();
}
