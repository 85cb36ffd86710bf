import { useMemo, useState } from 'preact/hooks';
import type { Trend as TrendData } from '../api/types';
import { stack, TREND_LAYERS, trendTimes } from '../logic/chartdata';
import { amount, moment } from '../logic/format';
import { serverNow } from '../state/live';
import { Chart, type Layer } from './Chart';

const shown = (layer: string) => (layer === 'saved' ? 'paused' : layer);

const LAYERS: Layer[] = [...TREND_LAYERS].reverse().map((layer) => ({ label: shown(layer), ink: shown(layer), filled: true }));

/** GPUs by state over the last week, hour by hour. */
export function Trend({ trend }: { trend: TrendData }) {
  const [index, setIndex] = useState<number>();
  const { times, values } = useMemo(() => {
    const times = trendTimes(trend);
    return { times, values: stack(TREND_LAYERS.map((layer) => trend[layer] ?? []), times.length).reverse() };
  }, [trend]);
  if (times.length < 2) {
    return <p class="hint">The ledger has no full hour yet; the course of the week appears here.</p>;
  }
  const at = index ?? times.length - 1;
  const counts = TREND_LAYERS.map((layer) => `${shown(layer)} ${amount(trend[layer]?.[at] ?? 0)}`).join(', ');
  return (
    <>
      <Chart
        label={`GPUs by state, hour by hour since ${moment(trend.from, serverNow())}. In the last hour: ${counts}.`}
        height={112}
        times={times}
        values={values}
        layers={LAYERS}
        unit={(value) => amount(value)}
        onPoint={setIndex}
      />
      <p class="readout">
        {moment(times[at]! * 1000, serverNow())}: {counts}
      </p>
    </>
  );
}
