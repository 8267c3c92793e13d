import type { ReactNode } from 'react';

import { Button } from './Button';
import { Dialog, DialogButtons } from './Dialog';
import { FailureNotice } from './Notice';

interface ConfirmDialogProps {
  /** A question. */
  title: string;
  /** What will be lost. */
  body: ReactNode;
  keepLabel?: string;
  confirmLabel: string;
  busy: boolean;
  /** Why the server refused. */
  failure: Error | null;
  onKeep: () => void;
  onConfirm: () => void;
}

/** Asks before something dangerous. The safe answer has the focus. */
export function ConfirmDialog({
  title,
  body,
  keepLabel = 'Keep',
  confirmLabel,
  busy,
  failure,
  onKeep,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} body={body} onClose={onKeep}>
      <FailureNotice failure={failure} />
      <DialogButtons>
        <Button autoFocus onClick={onKeep}>
          {keepLabel}
        </Button>
        <Button look="confirm" busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
