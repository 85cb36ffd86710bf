import { useMemo, useState } from 'preact/hooks';
import type { Timeline } from '../../api/types';
import { withGaps } from '../../logic/chartdata';
import { moment, percent, plural, shortModel, UNKNOWN } from '../../logic/format';
import { Chart, type Layer } from '../../parts/Chart';
import { Text } from '../../parts/Text';
import { serverNow } from '../../state/live';

/** Charts cost time to draw; more than these are drawn when asked for. */
const AT_FIRST = 16;

const LAYERS: Layer[] = [{ label: 'use', ink: 'accent' }];

/** The use of each GPU over time, one below the other, with one pointer for all. */
export function Timelines({ lines }: { lines: Timeline[] }) {
  const [all, showAll] = useState(false);
  const shown = all ? lines : lines.slice(0, AT_FIRST);
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">Use of each GPU</h2>
      {shown.map((line) => (
        <One key={`${line.pod} ${line.device}`} line={line} />
      ))}
      {shown.length < lines.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {plural(lines.length, 'GPU')}
        </button>
      )}
    </section>
  );
}

function One({ line }: { line: Timeline }) {
  const [times, values] = useMemo(() => withGaps(line.points), [line.points]);
  const [index, setIndex] = useState<number>();
  const at = index ?? times.length - 1;
  const peak = values.reduce<number | null>((most, value) => (value !== null && (most === null || value > most) ? value : most), null);
  return (
    <div class="timeline">
      <div class="label">
        <Text class="device" of={line.device} title={line.device} />
        <span class="sub">
          <Text of={line.pod} title={line.pod} />
        </span>
        <span class="sub">
          {line.node && (
            <>
              on <Text of={line.node} />
            </>
          )}
          {line.model && <>, {shortModel(line.model)}</>}
        </span>
      </div>
      <Chart
        label={`Use of ${line.device}: peak ${percent(peak)}, last ${percent(values.at(-1))}.`}
        height={84}
        times={times}
        values={[values]}
        layers={LAYERS}
        max={1}
        unit={(value) => percent(value)}
        sync="timeline"
        onPoint={setIndex}
      />
      <p class="readout num">
        {times[at] === undefined ? UNKNOWN : `${moment(times[at]! * 1000, serverNow())}: ${percent(values[at])}`}
      </p>
    </div>
  );
}
