import type { ReactNode } from 'react';

import { useModal } from './useModal';

interface ModalDialogProps {
  className: string | undefined;
  /** The id of the element that names it. */
  labelledBy: string;
  describedBy?: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** The bare dialog: Esc and a click beside it close it. */
export function ModalDialog({ className, labelledBy, describedBy, onClose, children }: ModalDialogProps) {
  const dialog = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same by the browser's own cancel event
    <dialog
      ref={dialog}
      open
      className={className}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // Only the backdrop is outside of every child.
        if (event.target === dialog.current) {
          onClose();
        }
      }}
    >
      {children}
    </dialog>
  );
}
