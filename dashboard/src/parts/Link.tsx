import type { ComponentChildren } from 'preact';
import { go } from '../state/route';

interface Props {
  href: string;
  children?: ComponentChildren;
  class?: string;
  title?: string;
  current?: boolean;
  label?: string;
}

/** A link within the page: no reload, and a plain link for everything else a browser does with links. */
export function Link({ href, children, current, label, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={href}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      onClick={(event) => {
        if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
          event.preventDefault();
          go(href);
        }
      }}
    >
      {children}
    </a>
  );
}

export function workloadPage(workload: { namespace: string; kind: string; name: string }): string {
  return `/workloads/${[workload.namespace, workload.kind, workload.name].map(encodeURIComponent).join('/')}`;
}
