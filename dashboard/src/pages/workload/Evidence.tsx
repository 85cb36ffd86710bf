import type { DeviceFinding, PodFinding, SignalFinding, Why } from '../../api/types';
import { duration, percent, shortModel, span, UNKNOWN } from '../../logic/format';
import { StateChip } from '../../parts/StateChip';
import { Text } from '../../parts/Text';
import { At } from '../../parts/Times';

/** What the verdict rests on: each pod, each GPU, each signal. */
export function Evidence({ why, pods }: { why: Why; pods: PodFinding[] }) {
  return (
    <section class="card evidence" aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <p class="hint">
        Judged{' '}
        {why.at && (
          <>
            at <At at={why.at} />{' '}
          </>
        )}
        over {duration(why.window)}: idle is what stays below {percent(why.idleThreshold)} on every signal. Pods are judged once
        they have run for {duration(why.judgedAfter)}.
      </p>
      {pods.map((pod) => (
        <Pod key={pod.pod} pod={pod} />
      ))}
    </section>
  );
}

function Pod({ pod }: { pod: PodFinding }) {
  const asked = Object.entries(pod.asked ?? {}).map(([resource, count]) => `${count} × ${resource}`);
  return (
    <div class="pod">
      <h3>
        <Text of={pod.pod} />
      </h3>
      <p class="hint">
        {pod.phase?.toLowerCase()}
        {pod.node && (
          <>
            {' '}
            on <Text of={pod.node} />
          </>
        )}
        {pod.since && (
          <>
            {' '}
            since <At at={pod.since} />
          </>
        )}
        {asked.length > 0 && <>, holds {asked.join(', ')}</>}
        {pod.live === false && ', not live'}
      </p>
      {pod.missing && (
        <p class="missing">
          <Text of={pod.missingSentence} /> <code>{pod.missing}</code>
        </p>
      )}
      {pod.devices && pod.devices.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`GPUs of ${pod.pod}`}>
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">GPU</th>
                <th scope="col">State</th>
                <th scope="col">Proof by</th>
                <th scope="col" class="right">
                  Samples
                </th>
                <th scope="col" class="right">
                  Longest gap
                </th>
                <th scope="col">Covered</th>
                <th scope="col">Last active</th>
                <th scope="col">Signals: mean, peak</th>
              </tr>
            </thead>
            <tbody>
              {pod.devices.map((device) => (
                <Device key={`${device.device} ${device.migInstance ?? ''}`} device={device} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Device({ device }: { device: DeviceFinding }) {
  return (
    <tr>
      <th scope="row">
        <Text of={device.device} />
        {device.migInstance && (
          <>
            {' '}
            MIG <Text of={device.migInstance} />
          </>
        )}
        <span class="sub">
          {device.model && <Text of={shortModel(device.model)} title={device.model} />}
          {device.shared && ', shared'}
        </span>
      </th>
      <td data-label="State">
        <StateChip state={device.state} />
      </td>
      <td data-label="Proof by">{device.main ? <code>{device.main}</code> : UNKNOWN}</td>
      <td class="num right" data-label="Samples">
        <span>
          {device.samples ?? UNKNOWN} of {device.promised ?? UNKNOWN}
        </span>
      </td>
      <td class="num right" data-label="Longest gap">{device.longestGapSeconds === undefined ? UNKNOWN : span(device.longestGapSeconds * 1000)}</td>
      <td data-label="Covered">{device.covered === undefined ? UNKNOWN : device.covered ? 'yes' : 'no'}</td>
      <td data-label="Last active">
        <At at={device.lastActive} />
      </td>
      <td data-label="Signals">
        <ul class="signals">
          {device.signals?.map((signal) => (
            <li key={signal.signal} class={signal.active ? 'active' : undefined}>
              <code>{signal.signal}</code> <span class="num">{values(signal)}</span>
              {signal.active && <b> active</b>}
              {signal.impossible > 0 && <>, {signal.impossible} impossible</>}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** Signals have scales of their own: shares, percent, watts. */
function values({ signal, mean, peak }: SignalFinding): string {
  if (signal === 'POWER') {
    return `${mean.toFixed(0)} W, ${peak.toFixed(0)} W`;
  }
  const scale = signal.endsWith('_UTIL') || signal === 'GFX_ACTIVITY' || signal === 'UMC_ACTIVITY' ? 0.01 : 1;
  return `${percent(mean * scale)}, ${percent(peak * scale)}`;
}
