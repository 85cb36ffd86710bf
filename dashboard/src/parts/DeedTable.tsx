import type { Deed } from '../api/types';
import { deedKey, partsOf } from '../logic/deeds';
import { money } from '../logic/format';
import { Link, workloadPage } from './Link';
import { Text } from './Text';
import { At } from './Times';

/** What was done, the newest first. */
export function DeedTable({ deeds, label, short = false }: { deeds: Deed[]; label: string; short?: boolean }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="deeds stacked">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            {!short && <th scope="col">Workload</th>}
            <th scope="col" class="right">
              GPUs
            </th>
            <th scope="col" class="right">
              Worth
            </th>
            <th scope="col">By</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {deeds.map((deed) => (
            <tr key={deedKey(deed)}>
              <td class="nowrap" data-label="When">
                <At at={deed.at} />
              </td>
              <td class="nowrap" data-label="What">
                <span>
                  <b>{deed.verb.toLowerCase()}</b>
                  {deed.outcome !== 'DONE' && <span class="outcome"> {deed.outcome.toLowerCase().replaceAll('_', ' ')}</span>}
                </span>
              </td>
              {!short && (
                <td data-label="Workload">
                  <WorkloadName id={deed.workload} />
                </td>
              )}
              <td class="num right" data-label="GPUs">{deed.gpus ?? '–'}</td>
              <td class="num right nowrap" data-label="Worth">{money(deed.dollarsPerHour)}/h</td>
              <td data-label="By">
                <Text of={deed.by} />
              </td>
              <td data-label="Why">
                <span>
                  <Text of={deed.sentence} /> {deed.reason && <code>{deed.reason}</code>}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function WorkloadName({ id }: { id: string }) {
  const parts = partsOf(id);
  return parts ? (
    <Link href={workloadPage(parts)} title={id}>
      <Text of={`${parts.namespace}/${parts.name}`} />
    </Link>
  ) : (
    <Text of={id} />
  );
}
