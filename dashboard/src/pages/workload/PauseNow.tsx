import { useState } from 'preact/hooks';
import type { Workload } from '../../api/types';
import { plural } from '../../logic/format';
import { Dialog } from '../../parts/Dialog';
import { pause } from '../../state/actions';

/** A pause by hand stops what runs, so it is asked for twice. */
export function PauseNow({ row, onClose }: { row: Workload; onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <Dialog title={`Pause ${row.name}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void pause(row, reason.trim());
        }}
      >
        <p>
          Its pods end and {plural(row.gpus, 'GPU')} become free. What they have not saved is lost. Resume brings it back as it is
          now.
        </p>
        <label>
          Reason, for others to read (optional)
          <input type="text" maxLength={200} autoComplete="off" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Pause now
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
