import { workloadApi, type Named } from '../../api/client';
import type { Autoscaler, ScalingMetric } from '../../api/types';
import { counted, few, figure, leftOut, outlook } from '../../logic/autoscale';
import { UNKNOWN } from '../../logic/format';
import { Text } from '../../parts/Text';
import { At } from '../../parts/Times';
import { Trouble } from '../../parts/Trouble';
import { useFetched } from '../../parts/useFetched';
import { useTurns } from '../../parts/useTurns';

const EVERY = 15_000;

/** What scales the workload, and what it will make of the numbers of now; nothing where nothing does. */
export function Autoscalers({ named }: { named: Named }) {
  const turn = useTurns(EVERY);
  const { data, problem, again } = useFetched<{ items: Autoscaler[] }>(workloadApi(named, 'autoscalers'), turn);
  const items = data?.items ?? [];
  // What is not there any more, and who has to sign in, is said by the rest of the page.
  const trouble = problem && problem.status !== 404 && !problem.needsSignIn ? problem : undefined;
  if (items.length === 0 && !trouble) {
    return null;
  }
  return (
    <section class="card autoscaler" aria-labelledby="autoscaler">
      <h2 id="autoscaler">Autoscaler</h2>
      {trouble && <Trouble problem={trouble} again={again} />}
      {items.map((hpa) => (
        <One key={hpa.hpa} hpa={hpa} />
      ))}
    </section>
  );
}

function One({ hpa }: { hpa: Autoscaler }) {
  return (
    <div class="hpa">
      <h3>
        <Text of={hpa.hpa} />
      </h3>
      <p class="outlook">
        <Text of={outlook(hpa)} />
      </p>
      <p class="hint">
        Scales <Text of={hpa.scales} /> within {hpa.minReplicas}–{hpa.maxReplicas} replicas, as fast as its behaviour rules allow.
      </p>
      {hpa.metrics.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Metrics of ${hpa.hpa}`}>
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col" class="right">
                  Target
                </th>
                <th scope="col" class="right">
                  Value
                </th>
                <th scope="col">Asks for</th>
                <th scope="col">Pods</th>
              </tr>
            </thead>
            <tbody>
              {hpa.metrics.map((metric, i) => (
                <Metric key={i} metric={metric} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hpa.notes.length > 0 && (
        <ul class="notes">
          {hpa.notes.map((note) => (
            <li key={note}>
              <Text of={note} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Metric({ metric }: { metric: ScalingMetric }) {
  return (
    <tr>
      <th scope="row">
        <Text of={metric.metric} />
        <span class="sub">
          <Text of={metric.source.toLowerCase()} />
        </span>
      </th>
      <td class="num right" data-label="Target">
        <span>
          {figure(metric.target)}
          <span class="sub">
            <Text of={metric.targetType} />
          </span>
        </span>
      </td>
      <td class="num right" data-label="Value">
        <span>
          {figure(metric.value)}
          {metric.at && (
            <span class="sub">
              <At at={metric.at} />
              {(metric.windowSeconds ?? 0) > 0 && <> over {metric.windowSeconds} s</>}
            </span>
          )}
        </span>
      </td>
      <td data-label="Asks for">
        {metric.proposal === undefined ? (
          <span>
            nothing: <Text of={metric.why} />
          </span>
        ) : (
          <b class="num">{metric.proposal}</b>
        )}
      </td>
      <td data-label="Pods">
        <span>
          {counted(metric) || UNKNOWN}
          {leftOut(metric).map(({ why, pods }) => (
            <span key={why} class="sub">
              left out: <Text of={few(pods)} title={pods.join(', ')} />, <Text of={why} />
            </span>
          ))}
        </span>
      </td>
    </tr>
  );
}
