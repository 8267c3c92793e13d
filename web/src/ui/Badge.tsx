import type { ReactNode } from 'react';

export type BadgeTone = 'plain' | 'active' | 'good' | 'warning' | 'bad';

/** A word or two about a thing. */
export function Badge({ tone = 'plain', title, children }: { tone?: BadgeTone; title?: string; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone} title={title}>
      {children}
    </span>
  );
}
