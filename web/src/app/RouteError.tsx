import type { ErrorComponentProps } from '@tanstack/react-router';

import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { FailureNotice } from '../ui/Notice';

/** A page that could not be shown, for example because the server was replaced by a newer one. */
export function RouteError({ error }: ErrorComponentProps) {
  return (
    <EmptyState
      title="This page could not be shown."
      actions={<Button onClick={() => window.location.reload()}>Reload</Button>}
    >
      <FailureNotice failure={error instanceof Error ? error : new Error(String(error))} />
    </EmptyState>
  );
}
