import { Cell } from './cell';

export type Theme = 'light' | 'dark';

const KEY = 'fallow.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function chosen(): Theme | undefined {
  try {
    const said = localStorage.getItem(KEY);
    return said === 'light' || said === 'dark' ? said : undefined;
  } catch {
    return undefined;
  }
}

export const theme = new Cell<Theme>(chosen() ?? (system.matches ? 'dark' : 'light'));

function show(): void {
  document.documentElement.dataset.theme = theme.value;
}

/** What the system wants is not remembered: choosing it again means to follow it again. */
export function toggleTheme(): void {
  theme.set(theme.value === 'dark' ? 'light' : 'dark');
  try {
    if (theme.value === (system.matches ? 'dark' : 'light')) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, theme.value);
    }
  } catch {
    // Remembered for this page only.
  }
}

export function startTheme(): void {
  show();
  theme.watch(show);
  system.addEventListener('change', () => {
    if (!chosen()) {
      theme.set(system.matches ? 'dark' : 'light');
    }
  });
}
