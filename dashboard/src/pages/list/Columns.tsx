import { sortText, type Sort, type SortKey } from '../../logic/arrange';
import { setQuery } from '../../state/route';

const COLUMNS: { name: string; class: string; sort?: SortKey; hint?: string }[] = [
  { name: 'State', class: 'c-state' },
  { name: 'Workload', class: 'c-name', sort: 'name' },
  { name: 'Why', class: 'c-why', sort: 'waste', hint: 'worst waste first' },
  { name: 'GPUs', class: 'c-gpus', sort: 'gpus', hint: 'most first' },
  { name: 'Use', class: 'c-use', sort: 'use', hint: 'least first; the line is the last hour of its busiest GPU' },
  { name: 'Idle for', class: 'c-idle', sort: 'idle', hint: 'longest first' },
  { name: 'Cost/h', class: 'c-cost', sort: 'cost', hint: 'dearest first' },
  { name: 'Pause in', class: 'c-left', sort: 'pause', hint: 'soonest first' },
  { name: 'Keep for', class: 'c-do' },
];

export const SORTABLE = COLUMNS.filter((column) => column.sort);

export function sortBy(sort: Sort): void {
  setQuery((query) => {
    const text = sortText(sort);
    if (text === 'waste') {
      query.delete('sort');
    } else {
      query.set('sort', text);
    }
  });
}

/** The names of the columns. The one over the reasons sorts by waste, which is the order worth coming back to. */
export function Columns({ sort }: { sort: Sort }) {
  return (
    <div role="row" class="columns" aria-rowindex={1}>
      {COLUMNS.map((column) => (
        <div key={column.name} role="columnheader" class={column.class} aria-sort={ariaSort(column.sort, sort)}>
          {column.sort ? (
            <button
              type="button"
              class="quiet"
              title={column.hint && `Sort: ${column.hint}`}
              onClick={() => sortBy({ key: column.sort!, turned: column.sort === sort.key && !sort.turned })}
            >
              {column.sort === 'waste' ? 'Why, by waste' : column.name}
              {column.sort === sort.key && <span aria-hidden="true">{sort.turned ? ' ▴' : ' ▾'}</span>}
            </button>
          ) : (
            column.name
          )}
        </div>
      ))}
    </div>
  );
}

function ariaSort(key: SortKey | undefined, sort: Sort): 'ascending' | 'descending' | undefined {
  return key && key === sort.key ? (sort.turned ? 'descending' : 'ascending') : undefined;
}
