import { percent } from '../logic/format';
import { sparkPath } from '../logic/chartdata';

const WIDTH = 64;
const HEIGHT = 18;

/** The use of the last hour in a few pixels. */
export function Spark({ values, use }: { values: (number | null)[] | null | undefined; use: number | null | undefined }) {
  return (
    <span class="spark">
      {values && values.length > 0 && (
        <svg viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
          <path class="ground" d={`M0 ${HEIGHT}H${WIDTH}`} />
          <path class="line" d={sparkPath(values, WIDTH, HEIGHT)} />
        </svg>
      )}
      <span class={use === null || use === undefined ? 'none' : 'num'}>{percent(use)}</span>
    </span>
  );
}
