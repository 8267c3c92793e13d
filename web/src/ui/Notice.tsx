import { CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { Failure } from '../api/failure';
import { classNames } from './classNames';
import { Icon } from './Icon';
import colours from './meaning.module.css';
import styles from './Notice.module.css';

type NoticeTone = 'info' | 'warning' | 'error';

const ICONS = { info: Info, warning: TriangleAlert, error: CircleX };
const COLOURS = { info: 'queued', warning: 'held', error: 'failed' } as const;

/** Something to know before going on. */
export function Notice({ tone, title, children }: { tone: NoticeTone; title?: string; children: ReactNode }) {
  return (
    <div className={classNames(styles.notice, colours[COLOURS[tone]])} role={tone === 'error' ? 'alert' : 'note'}>
      <Icon icon={ICONS[tone]} className={styles.icon} />
      <div>
        {title === undefined ? null : <strong className={styles.title}>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** Why a request failed and what to do; nothing while it did not. */
export function FailureNotice({ failure }: { failure: Error | null }) {
  if (failure === null) {
    return null;
  }
  const body = failure instanceof Failure ? failure.body : null;
  return (
    <Notice tone="error">
      {failure.message}
      {body === null ? null : (
        <small className={styles.details}>
          {body.code}, request {body.request_id}
        </small>
      )}
    </Notice>
  );
}
