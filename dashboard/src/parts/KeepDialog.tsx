import { useState } from 'preact/hooks';
import { moment } from '../logic/format';
import { keep } from '../state/actions';
import { useCell } from '../state/cell';
import { serverNow } from '../state/live';
import { tick } from '../state/tick';
import { Dialog } from './Dialog';
import { customKeep } from './KeepButtons';

const HOUR = 3_600_000;

/** A keep of any length, with a reason. */
export function KeepDialog() {
  const workload = useCell(customKeep);
  return workload ? <Form key={workload.workload} /> : null;
}

function Form() {
  useCell(tick);
  const workload = customKeep.value;
  const [hours, setHours] = useState('48');
  const [reason, setReason] = useState('');
  if (!workload) {
    return null;
  }
  const length = Number(hours);
  const valid = length > 0 && length <= 8760;
  const close = () => customKeep.set(undefined);
  return (
    <Dialog title={`Keep ${workload.name}`} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (valid) {
            close();
            void keep(workload, length, reason.trim());
          }
        }}
      >
        <label>
          Hours
          <input
            type="number"
            min="0.5"
            max="8760"
            step="0.5"
            required
            value={hours}
            onInput={(event) => setHours(event.currentTarget.value)}
          />
        </label>
        <p class="hint">{valid ? `Until ${moment(serverNow() + length * HOUR, serverNow())}.` : 'Between half an hour and a year.'}</p>
        <label>
          Reason, for others to read (optional)
          <input
            type="text"
            maxLength={200}
            autoComplete="off"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <footer>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!valid}>
            Keep
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
