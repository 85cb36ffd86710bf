import { useCell } from '../state/cell';
import { fleet } from '../state/live';
import { Text } from './Text';
import { At } from './Times';

/** What Fallow cannot see at the moment. It stands above everything, because it is a reason to doubt the rest. */
export function Banner() {
  const { summary } = useCell(fleet);
  if (!summary?.degraded?.length) {
    return null;
  }
  return (
    <section class="banner" aria-label="Degraded sources">
      {summary.degraded.map((one) => (
        <p key={one.source}>
          <b>
            <Text of={one.source} />
          </b>{' '}
          <Text of={one.sentence ?? 'does not work in full; who may see every namespace is told why'} />
          {one.since && (
            <span class="since">
              {' '}
              (since <At at={one.since} />)
            </span>
          )}
        </p>
      ))}
    </section>
  );
}
