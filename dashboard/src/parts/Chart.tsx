import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { dayOf, timeOfDay } from '../logic/format';
import { useCell } from '../state/cell';
import { theme } from '../state/theme';

type Library = typeof uPlot;

/** The library is half of the page's code, and the list can be read without it, so it comes after. */
let library: Promise<Library> | undefined;
const charts = () => (library ??= import('uplot').then((module) => module.default));

export interface Layer {
  label: string;
  /** Names the class ink-… that has the colour. */
  ink: string;
  /** Fills down to the bottom instead of only drawing a line. */
  filled?: boolean;
  bars?: boolean;
}

interface Props {
  /** What a person who cannot see the chart is told. */
  label: string;
  height: number;
  times: number[];
  values: (number | null)[][];
  layers: Layer[];
  max?: number;
  unit?: (value: number) => string;
  /** Charts with the same key show the same moment under the pointer. */
  sync?: string;
  onPoint?: (index: number | undefined) => void;
}

/** A chart over time, in UTC like all times here. Opaque layers are given from the top down, so that each covers the one before. */
export function Chart(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [failed, setFailed] = useState(false);
  const shownTheme = useCell(theme);
  const shape = JSON.stringify([props.layers, props.height, props.max, props.sync, shownTheme]);

  useEffect(() => {
    const element = host.current!;
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: latest.current.height }),
    );
    let left = false;
    charts().then(
      (Plot) => {
        if (!left) {
          plot.current = new Plot(optionsOf(Plot, latest, element), dataOf(latest.current), element);
          observer.observe(element);
        }
      },
      () => {
        library = undefined;
        setFailed(true);
      },
    );
    return () => {
      left = true;
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape]);

  useEffect(() => plot.current?.setData(dataOf(props)), [props.times, props.values]);

  return (
    <>
      <div class={`chart tall-${props.height}`} ref={host} role="img" aria-label={props.label} />
      {failed && <p class="hint">The chart could not be loaded. Reload the page.</p>}
    </>
  );
}

function optionsOf(Plot: Library, latest: { current: Props }, element: HTMLElement): uPlot.Options {
  const { height, sync, max, unit, layers } = latest.current;
  const ink = inks(element);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const axis = { stroke: ink('muted'), grid: { stroke: ink('line'), width: 1 }, ticks: { show: false }, font };
  const bars = layers.some((layer) => layer.bars);
  return {
    width: element.clientWidth,
    height,
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'UTC'),
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, ...(sync && { sync: { key: sync } }) },
    scales: {
      // Bars stand on their moment, so the first and the last need half a day of room.
      x: { time: true, ...(bars && { range: (_, from, to) => [from - DAY / 2, to + DAY / 2] }) },
      y: { range: (_, __, most) => [0, max ?? Math.max(1, most * 1.05)] },
    },
    axes: [
      { ...axis, size: 26, space: 60, values: utcLabels, ...(bars && { incrs: [1, 2, 7, 14, 28].map((days) => days * DAY) }) },
      { ...axis, size: 46, space: 28, values: (_, splits) => splits.map((value) => (unit ?? String)(value)) },
    ],
    series: [{}, ...layers.map((layer) => seriesOf(Plot, layer, ink(layer.ink)))],
    hooks: { setCursor: [(self) => latest.current.onPoint?.(self.cursor.idx ?? undefined)] },
  };
}

function seriesOf(Plot: Library, layer: Layer, colour: string): uPlot.Series {
  const solid = layer.filled || layer.bars;
  return {
    label: layer.label,
    stroke: colour,
    width: solid ? 0 : 1.5,
    points: { show: false },
    ...(solid && { fill: colour }),
    ...(layer.bars && { paths: Plot.paths.bars!({ size: [0.7, 48] }) }),
  };
}

function dataOf(props: Props): uPlot.AlignedData {
  return [props.times, ...props.values] as uPlot.AlignedData;
}

/** Colours as the style sheet has them now. A canvas knows no classes, so an element is asked what it would have. */
function inks(host: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('span');
    probe.className = `ink-${name}`;
    host.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
}

const DAY = 86_400;

/** Days where days are far enough apart, else hours; a day's first label names the day. */
function utcLabels(_: uPlot, splits: number[]): string[] {
  const distance = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((seconds) => {
    const at = new Date(seconds * 1000);
    return distance >= DAY || seconds % DAY === 0 ? dayOf(at) : timeOfDay(at);
  });
}
