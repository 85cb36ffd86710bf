import { useMemo, useState } from 'preact/hooks';
import type { Savings } from '../../api/types';
import { stack, TREND_LAYERS } from '../../logic/chartdata';
import { amount, money } from '../../logic/format';
import { Chart, type Layer } from '../../parts/Chart';

const shown = (layer: string) => (layer === 'saved' ? 'paused' : layer);
const LAYERS: Layer[] = [...TREND_LAYERS].reverse().map((layer) => ({ label: layer, ink: shown(layer), bars: true }));

/** A bar for each day, by what the GPUs did. */
export function Days({ data }: { data: Savings }) {
  const [index, setIndex] = useState<number>();
  const { times, values } = useMemo(() => {
    const days = data.items;
    const layers = TREND_LAYERS.map((layer) => days.map((day) => day[layer]));
    return { times: days.map((day) => Date.parse(day.key) / 1000), values: stack(layers, days.length).reverse() };
  }, [data]);
  if (data.items.length === 0) {
    return <p class="hint">The ledger has nothing for this time.</p>;
  }
  const day = data.items[index ?? data.items.length - 1]!;
  return (
    <>
      <ul class="legend">
        {TREND_LAYERS.map((layer) => (
          <li key={layer}>
            <span class={`swatch s-${shown(layer)}`} aria-hidden="true" /> {layer}
          </li>
        ))}
      </ul>
      <Chart
        label={`GPU hours by day. The last: ${TREND_LAYERS.map((layer) => `${layer} ${amount(day[layer])}`).join(', ')}.`}
        height={200}
        times={times}
        values={values}
        layers={LAYERS}
        unit={amount}
        onPoint={setIndex}
      />
      <p class="readout num">
        {day.key}: {TREND_LAYERS.map((layer) => `${layer} ${amount(day[layer])} h`).join(', ')}; wasted {money(day.wastedDollars)},
        saved {money(day.savedDollars)}
      </p>
    </>
  );
}
