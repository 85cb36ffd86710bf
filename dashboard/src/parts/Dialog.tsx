import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A small dialog. The browser keeps the focus in it, closes it on Escape and gives the focus back. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const open = useRef(true);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      open.current = false; // the browser tells of the closing later, when the next dialog may be open already
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={() => open.current && onClose()}
      onClick={(event) => {
        if (event.target === element.current) {
          onClose();
        }
      }}
    >
      <div class="sheet">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
