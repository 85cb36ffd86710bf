import { useEffect, useState } from 'preact/hooks';

/** A value that components can watch. */
export class Cell<T> {
  private readonly watchers = new Set<() => void>();

  constructor(private held: T) {}

  get value(): T {
    return this.held;
  }

  set(value: T): void {
    if (!Object.is(value, this.held)) {
      this.held = value;
      [...this.watchers].forEach((watcher) => watcher());
    }
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }
}

export function useCell<T>(cell: Cell<T>): T {
  const [, redraw] = useState({});
  const drawn = cell.value;
  useEffect(() => {
    if (!Object.is(drawn, cell.value)) {
      redraw({}); // it changed between drawing and watching
    }
    return cell.watch(() => redraw({}));
  }, [cell]);
  return drawn;
}
