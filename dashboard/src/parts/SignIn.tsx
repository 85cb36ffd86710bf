import { useState } from 'preact/hooks';
import { token } from '../api/client';
import type { Problem } from '../api/problem';
import { useCell } from '../state/cell';
import { connect } from '../state/live';
import { forgetToken, loginAddress, session, signInAsked, signInByEmail, signInByToken, signOut, waysToSignIn } from '../state/session';
import { Dialog } from './Dialog';
import { Text } from './Text';

export function SignIn() {
  const why = useCell(signInAsked);
  return why === undefined ? null : <Ways why={why} />;
}

function Ways({ why }: { why: string }) {
  const now = useCell(session);
  const ways = waysToSignIn(now);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const close = () => signInAsked.set(undefined);
  const attempt = async (way: Promise<Problem | undefined>) => {
    setBusy(true);
    const refused = await way;
    setBusy(false);
    setProblem(refused);
    if (!refused) {
      close();
      connect(); // the stream is asked for in the new name
    }
  };
  return (
    <Dialog title="Sign in" onClose={close}>
      <p>{why}</p>
      {ways.includes('oidc') && (
        <p>
          <a class="button primary" href={loginAddress(location)}>
            Sign in with {now.me?.issuer ? <Text of={now.me.issuer} /> : 'your organisation'}
          </a>
        </p>
      )}
      {ways.includes('email') && (
        <OneField
          label="Your e-mail address"
          type="email"
          hint="It is written beside what you change. Nobody checks it."
          button="Use this address"
          busy={busy}
          onValue={(email) => void attempt(signInByEmail(email))}
        />
      )}
      {ways.includes('token') && (
        <OneField
          label="A bearer token of the cluster"
          type="password"
          hint="kubectl create token NAME gives one for a service account. It is forgotten when this tab is closed."
          button="Use this token"
          busy={busy}
          onValue={(value) => void attempt(signInByToken(value))}
        />
      )}
      {ways.length === 0 && <p>This server offers no way to sign in from here. Use fallow keep or kubectl instead.</p>}
      {now.me?.by === 'oidc' && (
        <p>
          <button type="button" disabled={busy} onClick={() => void attempt(signOut())}>
            Sign out
          </button>
        </p>
      )}
      {token() && (
        <p>
          <button type="button" onClick={() => (forgetToken(), close(), connect())}>
            Forget the token of this tab
          </button>
        </p>
      )}
      <p role="alert" class="bad">
        {problem && (
          <>
            {problem.message} <code>{problem.reason}</code>
          </>
        )}
      </p>
    </Dialog>
  );
}

interface FieldProps {
  label: string;
  type: 'email' | 'password';
  hint: string;
  button: string;
  busy: boolean;
  onValue: (value: string) => void;
}

function OneField({ label, type, hint, button, busy, onValue }: FieldProps) {
  const [value, setValue] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onValue(value.trim());
      }}
    >
      <label>
        {label}
        {type === 'email' ? (
          <input type="email" required autoComplete="email" value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        ) : (
          <input type="password" required autoComplete="off" value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        )}
      </label>
      <p class="hint">{hint}</p>
      <footer>
        <button type="submit" class="primary" disabled={busy || !value.trim()}>
          {button}
        </button>
      </footer>
    </form>
  );
}
