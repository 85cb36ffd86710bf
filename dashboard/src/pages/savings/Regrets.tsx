import type { Report } from '../../api/types';
import { percent, plural } from '../../logic/format';
import { WorkloadName } from '../../parts/DeedTable';
import { Text } from '../../parts/Text';
import { At } from '../../parts/Times';

const AT_FIRST = 20;

/** Pauses that somebody took back at once: whether the rule is too strict. */
export function Regrets({ of: regrets }: { of: Report['regrets'] }) {
  return (
    <section class="card" aria-labelledby="regrets">
      <header>
        <h2 id="regrets">Regrets</h2>
      </header>
      <p class="hint">
        {regrets.pauses === 0
          ? 'Fallow has paused nothing in this time.'
          : `${regrets.regretted} of ${plural(regrets.pauses, 'pause')} (${percent(regrets.share)}) ${regrets.regretted === 1 ? 'was' : 'were'} taken back by a person within ${regrets.withinMinutes} minutes.`}
      </p>
      {regrets.items.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Regretted pauses">
          <table class="deeds stacked">
            <thead>
              <tr>
                <th scope="col">Workload</th>
                <th scope="col" class="right">
                  GPUs
                </th>
                <th scope="col">Paused</th>
                <th scope="col">Resumed</th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {regrets.items.slice(0, AT_FIRST).map((one) => (
                <tr key={`${one.workload} ${one.pausedAt}`}>
                  <td data-label="Workload">
                    <WorkloadName id={one.workload} />
                  </td>
                  <td class="num right" data-label="GPUs">
                    {one.gpus}
                  </td>
                  <td class="nowrap" data-label="Paused">
                    <At at={one.pausedAt} />
                  </td>
                  <td class="nowrap" data-label="Resumed">
                    <At at={one.resumedAt} />
                  </td>
                  <td data-label="By">
                    <Text of={one.by} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
