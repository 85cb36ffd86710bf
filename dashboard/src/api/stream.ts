import { ask } from './client';
import { noAnswer } from './problem';
import { EventCutter, type ServerEvent } from './sse';

/** Longer than three of the comments that the server sends to keep the line open. */
const SILENCE = 50_000;

/**
 * Reads the stream until it ends, which it always does by throwing. It is read with fetch and not with EventSource: that
 * cannot send a token, does not tell a refusal from a broken line, and hides the comments, so a line that died without
 * a word (a laptop that slept) would look alive.
 */
export async function readStream(signal: AbortSignal, on: (event: ServerEvent) => void): Promise<never> {
  const own = new AbortController();
  const stop = () => own.abort();
  signal.addEventListener('abort', stop);
  let watch = setTimeout(stop, SILENCE);
  try {
    const response = await ask('/api/v1/stream', { headers: { Accept: 'text/event-stream' }, signal: own.signal });
    if (!response.body) {
      throw noAnswer();
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const cutter = new EventCutter();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        throw noAnswer();
      }
      clearTimeout(watch);
      watch = setTimeout(stop, SILENCE);
      cutter.push(decoder.decode(value, { stream: true })).forEach(on);
    }
  } finally {
    clearTimeout(watch);
    signal.removeEventListener('abort', stop);
    own.abort();
  }
}
