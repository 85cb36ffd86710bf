import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GpuNode, NodeGpu } from '../api/types';
import { amount, percent, plural, shortModel, visible } from '../logic/format';
import { partsOf } from '../logic/deeds';
import { GPU_STATES, letterOf, stateClass } from '../logic/states';
import { Link, workloadPage } from '../parts/Link';
import { Text } from '../parts/Text';
import { Trouble } from '../parts/Trouble';
import { useFetched } from '../parts/useFetched';
import { useCell } from '../state/cell';
import { fleet } from '../state/live';
import { onKeys } from '../state/keys';
import { route, setQuery } from '../state/route';

/** So many nodes are drawn at once; more as one scrolls down. */
const STEP = 120;

/** Every GPU of every node: its state by colour and letter, its use by how full the cell is. */
export function Nodes() {
  const at = useCell(fleet).summary?.at;
  const { query } = useCell(route);
  const word = (query.get('q') ?? '').toLowerCase();
  const { data, problem, again } = useFetched<{ items: GpuNode[] }>('/api/v1/nodes', at);
  const [pointed, point] = useState('');
  const [limit, setLimit] = useState(STEP);
  const end = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const found = useMemo(() => (data?.items ?? []).filter((node) => matches(node, word)), [data, word]);

  useEffect(() => onKeys((key) => key === '/' && (search.current?.focus(), true)), []);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setLimit((before) => (before < found.length ? before + STEP : before)),
      { rootMargin: '600px' },
    );
    watcher.observe(end.current!);
    return () => watcher.disconnect();
  }, [found.length, limit]);

  return (
    <>
      <div class="page-head">
        <h1>Nodes</h1>
        <input
          ref={search}
          type="search"
          placeholder="Search node, model, workload"
          aria-label="Search by node, model or workload"
          value={query.get('q') ?? ''}
          onInput={(event) => {
            const value = event.currentTarget.value;
            setQuery((next) => (value ? next.set('q', value) : next.delete('q')));
          }}
        />
        <span class="found" role="status">
          {data && plural(found.length, 'node')}
        </span>
        <ul class="legend">
          {GPU_STATES.filter(({ key }) => key !== 'paused').map(({ key, letter, meaning }) => (
            <li key={key} title={meaning}>
              <span class={`letter s-${key}`} aria-hidden="true">
                {letter}
              </span>
              {key}
            </li>
          ))}
          {data?.items.some((node) => node.gpus.some((gpu) => gpu.state === 'HELD')) && (
            <li title="by somebody whose namespace you may not see">
              <span class="letter s-held" aria-hidden="true">
                H
              </span>
              held by others
            </li>
          )}
          <li>the fuller, the more used</li>
        </ul>
      </div>
      {problem && <Trouble problem={problem} again={again} />}
      {!data && !problem && <p class="empty">Reading the nodes …</p>}
      {data && found.length === 0 && (
        <p class="empty">{word ? 'No node matches the search.' : 'No node with a GPU is known. fallow doctor says what is missing.'}</p>
      )}
      <ul class="nodes" aria-label="Nodes" onPointerLeave={() => point('')}>
        {found.slice(0, limit).map((node) => (
          <NodeTile key={node.node} node={node} point={point} />
        ))}
      </ul>
      <div ref={end} />
      <p class="pointed" aria-hidden="true">
        {pointed}
      </p>
    </>
  );
}

function matches(node: GpuNode, word: string): boolean {
  return (
    !word ||
    `${node.node} ${node.model ?? ''}`.toLowerCase().includes(word) ||
    node.gpus.some((gpu) => gpu.workload?.toLowerCase().includes(word))
  );
}

function NodeTile({ node, point }: { node: GpuNode; point: (text: string) => void }) {
  const busy = node.gpus.filter((gpu) => gpu.state === 'BUSY').length;
  return (
    <li class="node">
      <p>
        <Text class="name" of={node.node} title={node.node} />
        <span class="sub">
          {node.model && <Text of={shortModel(node.model)} title={node.model} />} {amount(busy)} of {node.gpus.length} busy
        </span>
      </p>
      <ul class="cells" aria-label={`GPUs of ${visible(node.node)}`}>
        {node.gpus.map((gpu, i) => (
          <li key={gpu.device || i}>
            <Cell gpu={gpu} label={labelOf(node, gpu, i)} point={point} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function labelOf(node: GpuNode, gpu: NodeGpu, index: number): string {
  const who = gpu.workload ? `, ${gpu.workload}` : '';
  const use = gpu.use === null || gpu.use === undefined ? '' : `, use ${percent(gpu.use)}`;
  const state = gpu.state === 'HELD' ? 'held by others' : gpu.state.toLowerCase();
  return visible(`${node.node} GPU ${index + 1}: ${state}${use}${who}`);
}

function Cell({ gpu, label, point }: { gpu: NodeGpu; label: string; point: (text: string) => void }) {
  const parts = gpu.workload ? partsOf(gpu.workload) : undefined;
  const level = Math.round(Math.min(1, Math.max(0, gpu.use ?? 0)) * 10);
  const look = `cell s-${stateClass(gpu.state)} use-${level}`;
  const watch = { onPointerEnter: () => point(label), onFocusIn: () => point(label) };
  return (
    <span {...watch}>
      {parts ? (
        <Link href={workloadPage(parts)} class={look} label={label} title={label}>
          {letterOf(gpu.state)}
        </Link>
      ) : (
        <span class={look} tabIndex={0} role="img" aria-label={label} title={label}>
          {letterOf(gpu.state)}
        </span>
      )}
    </span>
  );
}
