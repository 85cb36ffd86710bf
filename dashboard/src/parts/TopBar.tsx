import logo from '../logo.svg';
import type { Summary } from '../api/types';
import { amount, moment, money, span } from '../logic/format';
import { useCell } from '../state/cell';
import { connect, fleet, line, serverNow } from '../state/live';
import { route } from '../state/route';
import { session, signInAsked, whyNoChange } from '../state/session';
import { theme, toggleTheme } from '../state/theme';
import { tick } from '../state/tick';
import { keysShown } from './Keys';
import { Link } from './Link';
import { Text } from './Text';

const PAGES: [string, string][] = [
  ['/', 'Workloads'],
  ['/nodes', 'Nodes'],
  ['/history', 'History'],
  ['/savings', 'Savings'],
];

export function TopBar() {
  const { path } = useCell(route);
  const { summary } = useCell(fleet);
  const here = path.startsWith('/workloads/') ? '/' : path;
  return (
    <header class="top">
      <Link href="/" class="brand" label="Fallow, all workloads">
        <img src={logo} width="24" height="24" alt="" />
        <b>Fallow</b>
      </Link>
      {summary && <Text class="cluster" of={summary.cluster} title="the cluster" />}
      {summary && <Marks summary={summary} />}
      <nav aria-label="Pages">
        {PAGES.map(([href, name]) => (
          <Link key={href} href={href} current={here === href}>
            {name}
          </Link>
        ))}
      </nav>
      {summary && path !== '/' && (
        <span class="glance">
          {amount(summary.gpus.idle)} idle, {money(summary.wastedPerHour)}/h wasted
        </span>
      )}
      <span class="right-end">
        <LiveMark />
        <Who />
        <Buttons />
      </span>
    </header>
  );
}

function Marks({ summary }: { summary: Summary }) {
  return (
    <>
      {summary.mode === 'dry-run' ? (
        <span class="mark dry">
          <b>dry-run</b>: nothing is changed
        </span>
      ) : (
        <span class="mark">{summary.mode === 'scale-down' ? 'idle workloads are paused' : summary.mode}</span>
      )}
      {summary.demo && (
        <span class="mark demo">
          <b>demo</b>, clock runs {amount(summary.speed ?? 1)} times faster
        </span>
      )}
    </>
  );
}

function LiveMark() {
  const { live, lostAt, retryAt, problem } = useCell(line);
  const now = useCell(tick);
  if (live) {
    return (
      <span class="live">
        <span class="dot" aria-hidden="true" /> live
      </span>
    );
  }
  if (!lostAt) {
    return <span class="live wait">connecting …</span>;
  }
  const since = moment(lostAt, serverNow());
  return (
    <span class="live lost">
      <span role="status">not live since {since}</span>{' '}
      {!problem?.needsSignIn && (
        <button type="button" onClick={connect} title={problem?.message}>
          {retryAt && retryAt > now ? `again in ${span(retryAt - now)}` : 'trying'}
        </button>
      )}
    </span>
  );
}

function Who() {
  const now = useCell(session);
  const why = whyNoChange(now);
  const name = now.me?.name;
  if (!now.me && !now.problem) {
    return null;
  }
  return (
    <button
      type="button"
      class="quiet who"
      title={why ?? (now.me?.verified === false ? 'This name was not checked' : undefined)}
      onClick={() => signInAsked.set(why ?? 'Change who you are here:')}
    >
      {name && now.me?.by !== 'none' ? <Text of={name} /> : why ? 'Sign in' : 'local'}
    </button>
  );
}

function Buttons() {
  const shown = useCell(theme);
  const other = shown === 'dark' ? 'light' : 'dark';
  return (
    <span class="tools">
      <button type="button" class="quiet" title={`Show it ${other}`} aria-label={`Show it ${other}`} onClick={toggleTheme}>
        {shown === 'dark' ? '☀' : '☾'}
      </button>
      <button type="button" class="quiet keys-button" title="Keys" aria-label="Show the keys" onClick={() => keysShown.set(true)}>
        ?
      </button>
    </span>
  );
}
