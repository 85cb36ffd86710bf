import { useMemo, useState } from 'preact/hooks';
import type { Savings } from '../../api/types';
import { money, shortModel } from '../../logic/format';
import { partsOf } from '../../logic/deeds';
import { WorkloadName } from '../../parts/DeedTable';
import { Text } from '../../parts/Text';
import { Trouble } from '../../parts/Trouble';
import { useFetched } from '../../parts/useFetched';
import { CsvButton } from '../../parts/CsvButton';

const AT_FIRST = 10;

/** Who wasted and who saved most, with a bar for each. */
export function Shares({ by, path, period }: { by: string; path: string | undefined; period: string }) {
  const { data, problem, again } = useFetched<Savings>(path);
  const [all, showAll] = useState(false);
  const rows = useMemo(
    () =>
      [...(data?.items ?? [])].sort(
        (a, b) => b.wastedDollars + b.savedDollars - (a.wastedDollars + a.savedDollars) || (a.key < b.key ? -1 : 1),
      ),
    [data],
  );
  const most = Math.max(1e-9, ...rows.map((row) => Math.max(row.wastedDollars, row.savedDollars)));
  const shown = all ? rows.slice(0, 500) : rows.slice(0, AT_FIRST);
  return (
    <section class="card shares" aria-labelledby={`by-${by}`}>
      <header>
        <h2 id={`by-${by}`}>By {by}</h2>
        {path && <CsvButton path={path} name={`fallow-savings-by-${by}-${period}.csv`} what={`savings by ${by}`} />}
      </header>
      {problem && <Trouble problem={problem} again={again} />}
      {data && rows.length === 0 && <p class="hint">The ledger has nothing for this time.</p>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col" class="right">
                Wasted
              </th>
              <th scope="col" class="right">
                Saved
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  {by === 'workload' && partsOf(row.key) ? (
                    <WorkloadName id={row.key} />
                  ) : (
                    <Text of={by === 'model' ? shortModel(row.key) : row.key} title={row.key} />
                  )}
                </th>
                <Amount of={row.wastedDollars} most={most} tone="idle" />
                <Amount of={row.savedDollars} most={most} tone="paused" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!all && rows.length > AT_FIRST && (
        <p class="more">
          <button type="button" onClick={() => showAll(true)}>
            Show all {rows.length}
          </button>
        </p>
      )}
    </section>
  );
}

function Amount({ of, most, tone }: { of: number; most: number; tone: string }) {
  return (
    <td class="num right amount">
      {money(of)}
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class={`fill-${tone}`} x={100 - (of / most) * 100} y="0" width={(of / most) * 100} height="4" />
      </svg>
    </td>
  );
}
