import type { Workload } from '../../api/types';
import { plural } from '../../logic/format';
import { Text } from '../../parts/Text';
import { useCell } from '../../state/cell';
import { fleet } from '../../state/live';
import { At, Since, Until } from '../../parts/Times';

/** What happens next and when; the keep and the pause in full. */
export function Next({ row }: { row: Workload }) {
  const { keep, pause } = row;
  const dryRun = useCell(fleet).summary?.mode === 'dry-run';
  return (
    <ul class="next">
      {row.idleSince && (
        <li>
          Idle for <Since at={row.idleSince} />, since <At at={row.idleSince} />.
        </li>
      )}
      {row.pausesAt && (
        <li>
          <b>
            {dryRun ? 'Would be paused in' : 'Paused in'} <Until at={row.pausesAt} />
          </b>
          , at <At at={row.pausesAt} />, unless it is kept or used before
          {dryRun ? '; this is a dry run, so it is not.' : '.'}
        </li>
      )}
      {row.next && !row.pausesAt && (
        <li>
          Next: <Text of={row.next} />
        </li>
      )}
      {keep && (
        <li>
          <b>
            Kept for <Until at={keep.until} />
          </b>
          , until <At at={keep.until} />
          {keep.by && (
            <>
              , by <Text of={keep.by} />
            </>
          )}
          {keep.reason && (
            <>
              : “<Text of={keep.reason} />”
            </>
          )}
        </li>
      )}
      {pause && (
        <li>
          <b>
            Paused for <Since at={pause.at} />
          </b>
          , since <At at={pause.at} />
          {pause.by && (
            <>
              , by <Text of={pause.by} />
            </>
          )}
          {pause.gpus !== undefined && `, which gave back ${plural(pause.gpus, 'GPU')}`}
          {pause.reason && (
            <>
              : “<Text of={pause.reason} />”
            </>
          )}
        </li>
      )}
    </ul>
  );
}
