import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Workload } from '../../api/types';
import { countStates, namespacesOf, sortText, sortOf, type Filter, type Sort } from '../../logic/arrange';
import { amount, plural } from '../../logic/format';
import { letterOf, STATES } from '../../logic/states';
import { setQuery } from '../../state/route';
import { sortBy, SORTABLE } from './Columns';

interface Props {
  rows: ReadonlyMap<string, Workload>;
  query: URLSearchParams;
  filter: Filter;
  sort: Sort;
  found: number;
  search: RefObject<HTMLInputElement | null>;
}

/** What is listed. All of it stands in the address, so that a link shows others the same. */
export function Filters({ rows, query, filter, sort, found, search }: Props) {
  const counts = useMemo(() => countStates(rows.values()), [rows]);
  const namespaces = useMemo(() => namespacesOf(rows.values()), [rows]);
  const put = (name: string, value: string) =>
    setQuery((next) => (value ? next.set(name, value) : next.delete(name)));
  const toggle = (state: string) =>
    setQuery((next) => {
      const states = next.getAll('state');
      next.delete('state');
      (states.includes(state) ? states.filter((one) => one !== state) : [...states, state]).forEach((one) =>
        next.append('state', one),
      );
    });
  return (
    <form class="filters" role="search" aria-label="Workloads" onSubmit={(event) => event.preventDefault()}>
      <input
        ref={search}
        type="search"
        placeholder="Search name, model, reason"
        aria-label="Search by name, namespace, model or reason"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellcheck={false}
        value={query.get('q') ?? ''}
        onInput={(event) => put('q', event.currentTarget.value)}
      />
      <div class="states" role="group" aria-label="States">
        {STATES.map((state) => (
          <button
            type="button"
            key={state}
            class={`toggle s-${state.toLowerCase()}`}
            aria-pressed={filter.states.has(state)}
            onClick={() => toggle(state)}
          >
            <span class="letter" aria-hidden="true">
              {letterOf(state)}
            </span>
            {state.toLowerCase()} <span class="num count">{amount(counts.get(state) ?? 0)}</span>
          </button>
        ))}
      </div>
      <select aria-label="Namespace" value={filter.namespace} onChange={(event) => put('namespace', event.currentTarget.value)}>
        <option value="">all namespaces</option>
        {filter.namespace && !namespaces.includes(filter.namespace) && (
          <option value={filter.namespace}>{filter.namespace}</option>
        )}
        {namespaces.map((namespace) => (
          <option key={namespace} value={namespace}>
            {namespace}
          </option>
        ))}
      </select>
      <select
        class="sort-select"
        aria-label="Order"
        value={sortText(sort)}
        onChange={(event) => sortBy(sortOf(event.currentTarget.value))}
      >
        {SORTABLE.map((column) => (
          <option key={column.sort} value={column.sort}>
            {column.sort === 'waste' ? 'worst waste first' : `by ${column.name.toLowerCase()}`}
          </option>
        ))}
        {sort.turned && <option value={sortText(sort)}>turned round</option>}
      </select>
      <span class="found" role="status">
        {found === rows.size ? plural(found, 'workload') : `${amount(found)} of ${plural(rows.size, 'workload')}`}
      </span>
    </form>
  );
}
