import type { Keep } from '../api/types';

/** Whether what stands after a wish to keep is what stood before: then there is nothing to undo. */
export function stoodAlready(before: Keep | undefined, until: string): boolean {
  return before !== undefined && Date.parse(before.until) === Date.parse(until);
}
