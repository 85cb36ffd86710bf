type Handler = (key: string) => boolean;

const handlers: Handler[] = [];

/** Hands keys to the last who asked for them, unless somebody is typing or a dialog is open. */
export function onKeys(handler: Handler): () => void {
  handlers.push(handler);
  return () => void handlers.splice(handlers.indexOf(handler), 1);
}

/** Enter and the like belong to the button or link that has the focus. */
function taken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  const typing = target.closest('input, select, textarea, [contenteditable]') !== null;
  return typing || (key === 'Enter' && target.closest('a, button, summary') !== null);
}

window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && event.target instanceof HTMLInputElement) {
    event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
    return;
  }
  if (taken(event.target, event.key)) {
    return;
  }
  for (const handler of [...handlers].reverse()) {
    if (handler(event.key)) {
      event.preventDefault();
      return;
    }
  }
});
