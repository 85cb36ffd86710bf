import type { Problem } from '../api/problem';
import { signInAsked } from '../state/session';

/** What went wrong while reading, and what to do. */
export function Trouble({ problem, again }: { problem: Problem; again: () => void }) {
  return (
    <div class="empty" role="alert">
      <p>
        {problem.message} <code>{problem.reason}</code>
      </p>
      {problem.needsSignIn ? (
        <button type="button" class="primary" onClick={() => signInAsked.set(problem.message)}>
          Sign in
        </button>
      ) : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
