import { Cell } from './cell';

export interface Route {
  path: string;
  query: URLSearchParams;
}

const here = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const route = new Cell<Route>(here());

let pending: ReturnType<typeof setTimeout> | undefined;

export function go(href: string): void {
  flush();
  history.replaceState({ ...history.state, scroll: window.scrollY }, '');
  history.pushState({ scroll: 0 }, '', href);
  route.set(here());
  window.scrollTo(0, 0);
}

/** Changes the query of the present page; the address follows a little later, because browsers limit how often it may. */
export function setQuery(change: (query: URLSearchParams) => void): void {
  const query = new URLSearchParams(route.value.query);
  change(query);
  route.set({ path: route.value.path, query });
  clearTimeout(pending);
  pending = setTimeout(flush, 250);
}

function flush(): void {
  if (pending === undefined) {
    return;
  }
  clearTimeout(pending);
  pending = undefined;
  const text = route.value.query.toString();
  history.replaceState(history.state, '', route.value.path + (text && `?${text}`));
}

/** Where the page was scrolled to when it was left, for the way back. */
export function rememberedScroll(): number {
  const scroll: unknown = history.state?.scroll;
  return typeof scroll === 'number' ? scroll : 0;
}

history.scrollRestoration = 'manual';
window.addEventListener('popstate', () => {
  clearTimeout(pending);
  pending = undefined;
  route.set(here());
  requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, rememberedScroll())));
});
