import { ask } from '../api/client';
import { complain } from '../state/notices';

/** Downloads the same as CSV. A plain link could neither ask for CSV nor send a token. */
export function CsvButton({ path, name, what }: { path: string; name: string; what: string }) {
  const download = async () => {
    try {
      const response = await ask(path, { headers: { Accept: 'text/csv' } });
      const address = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = address;
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (thrown) {
      complain(thrown, 'The CSV was not downloaded');
    }
  };
  return (
    <button type="button" aria-label={`CSV: download ${what}`} onClick={() => void download()}>
      CSV
    </button>
  );
}
