import { visible } from '../logic/format';

/** Text that somebody else wrote: never markup, and kept from turning the writing around it round. */
export function Text({ of, class: name, title }: { of: string | null | undefined; class?: string; title?: string }) {
  return (
    <bdi class={name} title={title}>
      {visible(of ?? '')}
    </bdi>
  );
}
