import type { GpuCounts } from '../api/types';
import { amount } from '../logic/format';
import { GPU_STATES } from '../logic/states';

/** The GPUs by state: a bar for the eye, and the numbers. */
export function StateBar({ gpus }: { gpus: GpuCounts }) {
  const total = GPU_STATES.reduce((sum, { key }) => sum + (gpus[key] ?? 0), 0);
  let x = 0;
  return (
    <div class="state-bar">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {total > 0 &&
          GPU_STATES.map(({ key }) => {
            const width = ((gpus[key] ?? 0) / total) * 1000;
            const from = x;
            x += width;
            return width > 0 && <rect key={key} class={`fill-${key}`} x={from} y="0" width={width} height="10" />;
          })}
      </svg>
      <ul>
        {GPU_STATES.map(({ key, letter, meaning }) => (
          <li key={key} title={meaning}>
            <span class={`letter s-${key}`} aria-hidden="true">
              {letter}
            </span>
            <b class="num">{amount(gpus[key] ?? 0)}</b> {key}
          </li>
        ))}
      </ul>
    </div>
  );
}
