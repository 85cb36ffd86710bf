import { useEffect, useState } from 'preact/hooks';
import { workloadApi, type Named } from '../api/client';
import type { DeedPage, Why, Workload as Data } from '../api/types';
import { DeedTable } from '../parts/DeedTable';
import { KeepButtons } from '../parts/KeepButtons';
import { Link } from '../parts/Link';
import { StateChip } from '../parts/StateChip';
import { Text } from '../parts/Text';
import { Trouble } from '../parts/Trouble';
import { useFetched } from '../parts/useFetched';
import { models, money, percent, plural } from '../logic/format';
import { withNewDeeds } from '../logic/deeds';
import { keep } from '../state/actions';
import { useCell } from '../state/cell';
import { onKeys } from '../state/keys';
import { fleet, newDeeds } from '../state/live';
import { Autoscalers } from './workload/Autoscalers';
import { Evidence } from './workload/Evidence';
import { Next } from './workload/Next';
import { PauseNow } from './workload/PauseNow';
import { Timelines } from './workload/Timelines';

/** Everything about one workload: what it is, why it is judged so, what happens next, and what happened before. */
export function Workload({ named }: { named: Named }) {
  const { rows } = useCell(fleet);
  const id = `${named.kind}/${named.namespace}/${named.name}`;
  const live = rows.get(id);
  const asked = useFetched<Data>(live ? undefined : workloadApi(named));
  const row = live ?? asked.data;

  useEffect(() =>
    onKeys((key) => {
      if ((key === '4' || key === '8') && row && row.state !== 'PAUSED') {
        void keep(row, Number(key));
        return true;
      }
      return false;
    }),
  );

  return (
    <article class="workload">
      <p class="crumb">
        <Link href="/">All workloads</Link>
      </p>
      <h1>
        <Text of={named.name} />
      </h1>
      <p class="what">
        {named.kind} in <Text of={named.namespace} />
        {row && (
          <>
            , {row.gpus} × <Text of={models(row.models) || 'GPU'} title={row.models?.join(', ')} />
          </>
        )}
      </p>
      {!row && asked.problem && <Trouble problem={asked.problem} again={asked.again} />}
      {!row && !asked.problem && <p class="empty">Reading it …</p>}
      {row && <Known row={row} named={named} />}
    </article>
  );
}

function Known({ row, named }: { row: Data; named: Named }) {
  const [pausing, setPausing] = useState(false);
  // The evidence is read again whenever the server sent the workload anew. A paused one has none.
  const why = useFetched<Why>(row.state === 'PAUSED' ? undefined : workloadApi(named, 'why'), row);
  return (
    <>
      <section class="card verdict" aria-label="The verdict">
        <div class="line">
          <StateChip state={row.state} />
          {row.reason && <code>{row.reason}</code>}
          <span class="space" />
          <KeepButtons workload={row} />
          {row.state !== 'PAUSED' && (
            <button type="button" onClick={() => setPausing(true)}>
              Pause now …
            </button>
          )}
        </div>
        {row.sentence && (
          <p class="sentence">
            <Text of={row.sentence} />
          </p>
        )}
        <Next row={row} />
        <dl class="facts">
          <Fact name="GPUs idle">
            {row.idleGpus ?? '–'} of {row.gpus}
          </Fact>
          <Fact name="use">{percent(row.use)}</Fact>
          <Fact name="cost">{money(row.costPerHour)}/h</Fact>
          <Fact name="wasted">{money(row.wastedPerHour)}/h</Fact>
          {why.data?.owners && why.data.owners.length > 0 && (
            <Fact name="owned by">
              <Text of={why.data.owners.join(' → ')} />
            </Fact>
          )}
        </dl>
      </section>
      {why.problem && <Trouble problem={why.problem} again={why.again} />}
      {why.data && why.data.timeline && why.data.timeline.length > 0 && <Timelines lines={why.data.timeline} />}
      {why.data?.pods && why.data.pods.length > 0 && <Evidence why={why.data} pods={why.data.pods} />}
      {row.state !== 'PAUSED' && <Autoscalers named={named} />}
      <Past named={named} />
      {pausing && <PauseNow row={row} onClose={() => setPausing(false)} />}
    </>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  );
}

function Past({ named }: { named: Named }) {
  const query = new URLSearchParams({ ...named, limit: '50' });
  const { data, problem, again } = useFetched<DeedPage>(`/api/v1/history?${query}`);
  const heard = useCell(newDeeds);
  const deeds = withNewDeeds(data?.items ?? [], data ? heard : [], { ...named, verb: '' });
  return (
    <section class="card" aria-labelledby="past">
      <h2 id="past">What was done to it</h2>
      {problem && <Trouble problem={problem} again={again} />}
      {data && deeds.length === 0 && <p class="hint">Nothing so far.</p>}
      {deeds.length > 0 && <DeedTable deeds={deeds} short label={`What was done: ${plural(deeds.length, 'entry', 'entries')}`} />}
    </section>
  );
}
