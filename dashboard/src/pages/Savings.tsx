import { useMemo } from 'preact/hooks';
import type { Savings as Data, Report } from '../api/types';
import { amount, change, money } from '../logic/format';
import { useFetched } from '../parts/useFetched';
import { Trouble } from '../parts/Trouble';
import { useCell } from '../state/cell';
import { fleet, serverNow } from '../state/live';
import { route, setQuery } from '../state/route';
import { CsvButton } from '../parts/CsvButton';
import { Days } from './savings/Days';
import { Regrets } from './savings/Regrets';
import { Shares } from './savings/Shares';

const DAY = 86_400_000;
const PERIODS: [string, string][] = [
  ['7d', 'the last 7 days'],
  ['month', 'this month'],
  ['30d', 'the last 30 days'],
  ['90d', 'the last 90 days'],
];

/** What the GPUs' time went to, what of it was wasted and what was saved. */
export function Savings() {
  const { query } = useCell(route);
  const known = useCell(fleet).summary !== undefined;
  const period = PERIODS.some(([key]) => key === query.get('period')) ? query.get('period')! : '7d';
  // Asked for from whole days on, so that the address of the answer stays the same all day.
  const range = useMemo(() => rangeOf(period, serverNow()), [period, known]);
  const path = (by: string) => `/api/v1/savings?${new URLSearchParams({ ...range, by })}`;
  const days = useFetched<Data>(known ? path('day') : undefined);
  const report = useFetched<Report>(known ? `/api/v1/report?${new URLSearchParams(range)}` : undefined).data;
  const total = days.data?.total;
  const keys = ['namespace', ...(report?.teams.some((team) => team.key !== 'unknown') ? ['team'] : []), 'workload', 'model'];
  return (
    <>
      <div class="page-head">
        <h1>Savings</h1>
        <select
          aria-label="Period"
          value={period}
          onChange={(event) => {
            const value = event.currentTarget.value;
            setQuery((next) => next.set('period', value));
          }}
        >
          {PERIODS.map(([key, words]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
        <span class="hint">Days are those of UTC. Money is list prices, for ranking; it is not your bill.</span>
      </div>
      {total && (
        <dl class="figures wide">
          <div class="saved">
            <dt>saved</dt>
            <dd class="num">{money(total.savedDollars)}</dd>
            <Before share={report?.change.saved} />
          </div>
          <div class="waste">
            <dt>wasted</dt>
            <dd class="num">{money(total.wastedDollars)}</dd>
            <Before share={report?.change.wasted} />
          </div>
          <div>
            <dt>cost of all GPU time</dt>
            <dd class="num">{money(total.costDollars)}</dd>
            <Before share={report?.change.cost} />
          </div>
          <div>
            <dt>GPU hours given back</dt>
            <dd class="num">{amount(total.saved)}</dd>
          </div>
        </dl>
      )}
      <section class="card" aria-labelledby="by-day">
        <header>
          <h2 id="by-day">GPU hours by day</h2>
          <CsvButton path={path('day')} name={`fallow-savings-by-day-${period}.csv`} what="savings by day" />
        </header>
        {days.problem && <Trouble problem={days.problem} again={days.again} />}
        {days.data && <Days data={days.data} />}
      </section>
      <div class="thirds">
        {keys.map((by) => (
          <Shares key={by} by={by} path={known ? path(by) : undefined} period={period} />
        ))}
      </div>
      {report && <Regrets of={report.regrets} />}
    </>
  );
}

/** Against as long a time just before, where the ledger reaches back that far. */
function Before({ share }: { share: number | undefined }) {
  const words = change(share);
  return words ? <dd class="hint">{words}</dd> : null;
}

export function rangeOf(period: string, now: number): { from: string; to: string } {
  const day = Math.floor(now / DAY) * DAY;
  const today = new Date(day);
  const days = Number.parseInt(period, 10);
  const from =
    period === 'month' ? Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1) : day - ((Number.isNaN(days) ? 7 : days) - 1) * DAY;
  return { from: new Date(from).toISOString(), to: new Date(day + DAY).toISOString() };
}
