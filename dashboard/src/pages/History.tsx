import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api/client';
import type { Deed, DeedPage } from '../api/types';
import { withNewDeeds } from '../logic/deeds';
import { namespacesOf } from '../logic/arrange';
import { plural } from '../logic/format';
import { CsvButton } from '../parts/CsvButton';
import { DeedTable } from '../parts/DeedTable';
import { Trouble } from '../parts/Trouble';
import { useFetched } from '../parts/useFetched';
import { useCell } from '../state/cell';
import { fleet, newDeeds, serverNow } from '../state/live';
import { complain } from '../state/notices';
import { route, setQuery } from '../state/route';

const PAGE = '100';
const MOST = '1000';
const DAY = 86_400_000;
const SINCE: [string, string, number][] = [
  ['1d', 'the last day', DAY],
  ['7d', 'the last week', 7 * DAY],
  ['30d', 'the last 30 days', 30 * DAY],
];

/** What was done, by whom and why. */
export function History() {
  const { query } = useCell(route);
  const { rows } = useCell(fleet);
  const heard = useCell(newDeeds);
  const [later, setLater] = useState<Deed[]>([]);
  const [older, setOlder] = useState<DeedPage>();
  const filter = {
    namespace: query.get('namespace') ?? '',
    kind: query.get('kind') ?? '',
    name: query.get('name') ?? '',
    verb: query.get('verb') ?? '',
  };
  const since = query.get('since') ?? '';
  const path = useMemo(() => pathOf({ ...filter }, since), [query]);
  const { data, problem, again } = useFetched<DeedPage>(path);

  useEffect(() => setOlder(undefined), [path]);
  useEffect(() => setLater((before) => [...heard, ...before].slice(0, 500)), [heard]);

  const deeds = withNewDeeds([...(data?.items ?? []), ...(older?.items ?? [])], data ? later : [], filter);
  const next = older ? older.next : (data?.next ?? null);
  const more = async () => {
    try {
      const page = await get<DeedPage>(`${path}&cursor=${encodeURIComponent(next!)}`);
      setOlder({ items: [...(older?.items ?? []), ...page.items], next: page.next });
    } catch (thrown) {
      complain(thrown, 'Older entries were not read');
    }
  };
  const put = (name: string, value: string) => setQuery((now) => (value ? now.set(name, value) : now.delete(name)));

  return (
    <>
      <div class="page-head">
        <h1>History</h1>
        <select aria-label="What was done" value={filter.verb} onChange={(event) => put('verb', event.currentTarget.value)}>
          <option value="">pauses and resumes</option>
          <option value="pause">pauses</option>
          <option value="resume">resumes</option>
        </select>
        <select aria-label="Namespace" value={filter.namespace} onChange={(event) => put('namespace', event.currentTarget.value)}>
          <option value="">all namespaces</option>
          {[...new Set([...namespacesOf(rows.values()), filter.namespace].filter(Boolean))].map((namespace) => (
            <option key={namespace} value={namespace}>
              {namespace}
            </option>
          ))}
        </select>
        <select aria-label="Since" value={since} onChange={(event) => put('since', event.currentTarget.value)}>
          <option value="">since ever</option>
          {SINCE.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <input
          type="search"
          placeholder="Name of a workload"
          aria-label="Exact name of a workload"
          value={filter.name}
          onChange={(event) => put('name', event.currentTarget.value.trim())}
        />
        <CsvButton path={path.replace(`limit=${PAGE}`, `limit=${MOST}`)} name="fallow-history.csv" what="the latest of these entries" />
      </div>
      {problem && <Trouble problem={problem} again={again} />}
      {!data && !problem && <p class="empty">Reading what was done …</p>}
      {data && deeds.length === 0 && !next && (
        <p class="empty">
          {path.split('&').length > 1
            ? 'Nothing matches these filters.'
            : 'Nothing was paused or resumed so far. In a dry run nothing ever is.'}
        </p>
      )}
      {(deeds.length > 0 || next) && (
        <section class="card">
          {deeds.length > 0 && <DeedTable deeds={deeds} label={`What was done, ${plural(deeds.length, 'entry', 'entries')}`} />}
          {next && (
            <p class="more">
              <button type="button" onClick={() => void more()}>
                Show older ones
              </button>
            </p>
          )}
        </section>
      )}
    </>
  );
}

function pathOf(filter: Record<string, string>, since: string): string {
  const query = new URLSearchParams({ limit: PAGE });
  Object.entries(filter).forEach(([name, value]) => value && query.set(name, value));
  const back = SINCE.find(([value]) => value === since)?.[2];
  if (back) {
    query.set('since', new Date(serverNow() - back).toISOString());
  }
  return `/api/v1/history?${query}`;
}
