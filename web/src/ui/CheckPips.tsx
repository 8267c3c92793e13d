import styles from './CheckPips.module.css';
import { classNames } from './classNames';

export type CheckState = 'passed' | 'failed' | 'running' | 'not-run';

const MOST_PIPS = 8;

/** One bar per check, and the same in words for screen readers. */
export function CheckPips({ checks }: { checks: readonly CheckState[] }) {
  const passed = checks.filter((check) => check === 'passed').length;
  const failed = checks.filter((check) => check === 'failed').length;
  const words = `${passed} of ${checks.length} checks passed${failed === 0 ? '' : `, ${failed} failed`}`;
  if (checks.length > MOST_PIPS) {
    return (
      <span className={styles.many} title={words}>
        {passed} of {checks.length}
      </span>
    );
  }
  return (
    <span className={styles.pips} role="img" aria-label={words} title={words}>
      {checks.map((check, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a check's place in the list is its identity
          key={index}
          className={classNames(
            styles.pip,
            check === 'passed' && styles.passed,
            check === 'failed' && styles.failed,
            check === 'running' && styles.running,
          )}
        />
      ))}
    </span>
  );
}
