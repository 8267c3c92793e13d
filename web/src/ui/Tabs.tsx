import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import styles from './Tabs.module.css';

/** The tabs of a page. Each is a link, so that its address can be copied. */
export function TabList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className={styles.list}>
      {children}
    </nav>
  );
}

interface TabAnchorProps extends ComponentPropsWithRef<'a'> {
  /** A diffstat, pips or a count. */
  fact?: ReactNode;
  hasNews?: boolean;
}

function TabAnchor({ fact, hasNews = false, children, ...rest }: TabAnchorProps) {
  return (
    <a {...rest} className={styles.tab}>
      {children}
      {fact === undefined || fact === null ? null : <span className={styles.fact}>{fact}</span>}
      {hasNews ? (
        <span className={styles.dot}>
          <span className="visually-hidden">new content</span>
        </span>
      ) : null}
    </a>
  );
}

/** One tab; the router marks the present one. */
export const TabLink = createLink(TabAnchor);
