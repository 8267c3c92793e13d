import { CircleX, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';

import { Button } from './Button';
import { Icon } from './Icon';
import { IconButton } from './IconButton';
import styles from './Toaster.module.css';
import { closeToast, currentToasts, subscribeToToasts } from './toastStore';

/** Where toasts appear. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  return (
    <section className={styles.region} aria-label="Messages" aria-live="polite">
      {toasts.map(({ id, text, tone, undo }) => (
        <div key={id} className={styles.toast} role={tone === 'failed' ? 'alert' : undefined}>
          {tone === 'failed' ? <Icon icon={CircleX} className={styles.failed} /> : null}
          <span className={styles.text}>{text}</span>
          {undo === undefined ? null : (
            <Button
              look="ghost"
              size="small"
              hotkey="Z"
              onClick={() => {
                closeToast(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <IconButton icon={X} label="Close message" size="small" onClick={() => closeToast(id)} />
        </div>
      ))}
    </section>
  );
}
