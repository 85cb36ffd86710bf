import { coarseSpan, moment, span, UNKNOWN } from '../logic/format';
import { useCell } from '../state/cell';
import { serverNow } from '../state/live';
import { tick } from '../state/tick';

/** Times as seen from the server's clock. Each watches the tick itself, so that a second redraws only these words. */

interface Props {
  at: string | null | undefined;
}

const known = (at: Props['at']): number => Date.parse(at ?? '');

/** How long ago: 52 min. */
export function Since({ at }: Props) {
  useCell(tick);
  const then = known(at);
  if (Number.isNaN(then)) {
    return <span class="none">{UNKNOWN}</span>;
  }
  return (
    <time dateTime={at!} title={`since ${moment(at, serverNow())}`}>
      {coarseSpan(serverNow() - then)}
    </time>
  );
}

/** How long until then: 4 min 30 s. */
export function Until({ at }: Props) {
  useCell(tick);
  const then = known(at);
  if (Number.isNaN(then)) {
    return <span class="none">{UNKNOWN}</span>;
  }
  const left = then - serverNow();
  return (
    <time dateTime={at!} title={moment(at, serverNow())} class={left < 600_000 ? 'soon' : undefined}>
      {left <= 0 ? 'due now' : span(left)}
    </time>
  );
}

/** When, in full. */
export function At({ at }: Props) {
  return at ? <time dateTime={at}>{moment(at, serverNow())}</time> : <span class="none">{UNKNOWN}</span>;
}
