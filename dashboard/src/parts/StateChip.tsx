import { letterOf, stateClass } from '../logic/states';

/** The state as a word, with a letter and a colour of its own. */
export function StateChip({ state }: { state: string }) {
  return (
    <span class={`chip s-${stateClass(state)}`}>
      <span class="letter" aria-hidden="true">
        {letterOf(state)}
      </span>
      {state.toLowerCase()}
    </span>
  );
}
