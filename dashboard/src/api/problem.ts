/** Something the server refused or could not do, with a sentence for people and a reason for programs. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    sentence: string,
    readonly signIn: string[] = [],
  ) {
    super(sentence);
  }

  get needsSignIn(): boolean {
    return this.status === 401;
  }
}

export function noAnswer(): Problem {
  return new Problem(0, 'NO_ANSWER', 'The server does not answer. Check that fallow runs and can be reached from here.');
}

/** Reads problem+json; a proxy in between may answer with anything else, which is then not shown. */
export function problemOf(status: number, body: string): Problem {
  try {
    const said = JSON.parse(body) as Record<string, unknown>;
    const text = (name: string) => (typeof said[name] === 'string' ? (said[name] as string) : '');
    const signIn = Array.isArray(said.signIn) ? said.signIn.filter((way) => typeof way === 'string') : [];
    const sentence = text('detail') || text('title');
    if (sentence) {
      return new Problem(status, text('reason') || `HTTP_${status}`, sentence, signIn);
    }
  } catch {
    // Not JSON: only the status is known.
  }
  if (status === 401) {
    return new Problem(status, 'WHO_ARE_YOU', 'The server wants to know who asks. Sign in.');
  }
  return new Problem(status, `HTTP_${status}`, `The server answered ${status}. Its log says more.`);
}

export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : noAnswer();
}
