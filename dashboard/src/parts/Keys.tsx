import { Cell, useCell } from '../state/cell';
import { Dialog } from './Dialog';

export const keysShown = new Cell(false);

const KEYS: [string, string][] = [
  ['/', 'search'],
  ['j, k', 'next and previous workload'],
  ['Enter', 'open the workload'],
  ['4, 8', 'keep it for 4 or 8 hours'],
  ['g then w, n, h, s', 'go to workloads, nodes, history, savings'],
  ['Esc', 'leave the search, close a dialog'],
  ['?', 'this list'],
];

export function Keys() {
  if (!useCell(keysShown)) {
    return null;
  }
  return (
    <Dialog title="Keys" onClose={() => keysShown.set(false)}>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
