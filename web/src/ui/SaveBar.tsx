import { Button } from './Button';
import { FailureNotice } from './Notice';
import styles from './SaveBar.module.css';

interface SaveBarProps {
  label?: string;
  busy: boolean;
  isSaved: boolean;
  failure: Error | null;
}

/** The end of a form that saves: why it was refused, the button, and "Saved". */
export function SaveBar({ label = 'Save', busy, isSaved, failure }: SaveBarProps) {
  return (
    <>
      <FailureNotice failure={failure} />
      <div className={styles.bar}>
        <Button type="submit" busy={busy}>
          {label}
        </Button>
        <span role="status" className={styles.saved}>
          {isSaved ? 'Saved' : ''}
        </span>
      </div>
    </>
  );
}
