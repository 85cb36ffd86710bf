import { useRef, useState } from 'preact/hooks';
import { SummaryBand } from '../parts/SummaryBand';
import { Trouble } from '../parts/Trouble';
import { useCell } from '../state/cell';
import { connect, fleet, line } from '../state/live';
import { route, setQuery } from '../state/route';
import { Columns } from './list/Columns';
import { Filters } from './list/Filters';
import { Row } from './list/Row';
import { useArranged } from './list/useArranged';
import { useListKeys } from './list/useListKeys';
import { useSlice } from './list/useSlice';

/** Every workload that holds GPUs, worst waste first. */
export function Workloads() {
  const { rows, summary, read } = useCell(fleet);
  const { problem } = useCell(line);
  const { query } = useCell(route);
  const { arranged, filter, sort, hold } = useArranged(rows, query);
  const [selected, select] = useState<string>();
  const body = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const { first, last, rowHeight } = useSlice(body, arranged.length);
  useListKeys({ rows: arranged, rowHeight, selected, select, body, search });

  return (
    <>
      <h1 class="unseen">Workloads that hold GPUs</h1>
      {summary && <SummaryBand summary={summary} />}
      {!read && problem && <Trouble problem={problem} again={connect} />}
      {!read && !problem && <p class="empty">Reading the workloads …</p>}
      {read && (
        <div
          class="list"
          onPointerEnter={(event) => event.pointerType === 'mouse' && hold(true)}
          onPointerLeave={() => hold(false)}
        >
          <Filters rows={rows} query={query} filter={filter} sort={sort} found={arranged.length} search={search} />
          <div role="table" aria-label="Workloads" aria-rowcount={arranged.length + 1}>
            <div role="rowgroup" class="list-head">
              <Columns sort={sort} />
            </div>
            <div role="rowgroup" ref={body} class="body">
              <div class="filler" role="presentation" style={{ height: `${first * rowHeight}px` }} />
              {arranged.slice(first, last).map((row, i) => (
                <Row key={row.workload} row={row} index={first + i} selected={row.workload === selected} onSelect={select} />
              ))}
              <div class="filler" role="presentation" style={{ height: `${(arranged.length - last) * rowHeight}px` }} />
            </div>
          </div>
          {arranged.length === 0 && <Nothing any={rows.size > 0} />}
        </div>
      )}
    </>
  );
}

function Nothing({ any }: { any: boolean }) {
  return any ? (
    <div class="empty">
      <p>No workload matches the search and the filters.</p>
      <button type="button" onClick={() => setQuery((query) => ['q', 'state', 'namespace'].forEach((name) => query.delete(name)))}>
        Clear them
      </button>
    </div>
  ) : (
    <div class="empty">
      <p>No workload holds a GPU.</p>
      <p>
        Workloads appear here once a pod asks for a GPU and is on a node. If there are such pods, <code>fallow doctor</code> says
        what is missing.
      </p>
    </div>
  );
}
