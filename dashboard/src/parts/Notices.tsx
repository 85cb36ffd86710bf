import { useCell } from '../state/cell';
import { dismiss, notices } from '../state/notices';
import { Text } from './Text';

/** What was done, and what could not be: read out politely, never in the way. */
export function Notices() {
  const shown = useCell(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <div key={notice.id} class={notice.bad ? 'notice bad' : 'notice'}>
          <p>
            <Text of={notice.text} /> {notice.reason && <code>{notice.reason}</code>}
          </p>
          {notice.undo && (
            <button
              type="button"
              onClick={() => {
                dismiss(notice.id);
                notice.undo!();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => dismiss(notice.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
