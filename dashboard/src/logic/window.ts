export interface Slice {
  /** The rows from first up to, not including, last are drawn. */
  first: number;
  last: number;
}

/** Pixels drawn beyond the edges, so that scrolling and the tab key find the next row already there. */
const BEYOND = 280;
/** Edges move by whole steps, so that not every pixel scrolled draws anew. */
const STEP = 2;

/** Which rows of equal height can be seen in a view that begins `top` pixels below the list's own beginning. */
export function sliceOf(top: number, viewHeight: number, rowHeight: number, count: number, pixels = BEYOND): Slice {
  if (count <= 0 || rowHeight <= 0) {
    return { first: 0, last: 0 };
  }
  const beyond = Math.ceil(pixels / rowHeight);
  const begin = Math.floor(top / rowHeight) - beyond;
  const end = Math.ceil((top + viewHeight) / rowHeight) + beyond;
  const first = Math.min(Math.max(0, Math.floor(begin / STEP) * STEP), Math.max(0, count - 1));
  const last = Math.min(count, Math.max(first + 1, Math.ceil(end / STEP) * STEP));
  return { first, last };
}

/** Whether two slices have no row in common, so that going from one to the other draws everything anew. */
export function apart(one: Slice, other: Slice): boolean {
  return one.first >= other.last || one.last <= other.first;
}

/** How far to scroll so that a row is wholly in view below what covers the top; undefined if it is already. */
export function scrollTo(
  index: number,
  rowHeight: number,
  listTop: number,
  scrolled: number,
  viewHeight: number,
  covered: number,
): number | undefined {
  const rowTop = listTop + index * rowHeight;
  if (rowTop < scrolled + covered) {
    return Math.max(0, rowTop - covered);
  }
  if (rowTop + rowHeight > scrolled + viewHeight) {
    return rowTop + rowHeight - viewHeight + Math.round(rowHeight / 2);
  }
  return undefined;
}
