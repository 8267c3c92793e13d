import type { ReactNode } from 'react';

import { Failure } from '../api/failure';

type Tone = 'info' | 'warning' | 'error';

/** Something the person should know before going on. */
export function Notice({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'error' ? 'alert' : 'note'}>
      {title === undefined ? null : <strong>{title}</strong>}
      <div>{children}</div>
    </div>
  );
}

/** What went wrong, if something did. */
export function FailureNotice({ failure }: { failure: Error | null }) {
  if (failure === null) {
    return null;
  }
  const body = failure instanceof Failure ? failure.body : null;
  return (
    <Notice tone="error">
      {failure.message}
      {body === null ? null : (
        <small className="fine">
          {body.code} · request {body.request_id}
        </small>
      )}
    </Notice>
  );
}
