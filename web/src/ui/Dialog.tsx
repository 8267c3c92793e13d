import { type ReactNode, useId } from 'react';

import { classNames } from './classNames';
import styles from './Dialog.module.css';
import { ModalDialog } from './ModalDialog';

interface DialogProps {
  title: ReactNode;
  /** What happens, and what will be lost. */
  body?: ReactNode;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the page while it is rendered. */
export function Dialog({ title, body, isWide = false, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <ModalDialog
      className={classNames(styles.dialog, isWide && styles.wide)}
      labelledBy={`${id}-title`}
      describedBy={body === undefined ? undefined : `${id}-body`}
      onClose={onClose}
    >
      <div className={styles.content}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        {body === undefined ? null : (
          <div id={`${id}-body`} className={styles.body}>
            {body}
          </div>
        )}
        {children}
      </div>
    </ModalDialog>
  );
}

/** The buttons at the end of a dialog, the safe one first. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
