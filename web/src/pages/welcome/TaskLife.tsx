import { MEANINGS, type Meaning } from '../../task/meanings';
import { classNames } from '../../ui/classNames';
import { MeaningIcon } from '../../ui/MeaningIcon';
import colours from '../../ui/meaning.module.css';
import styles from './SetupPage.module.css';

const LIFE: readonly (readonly [Meaning, string])[] = [
  ['queued', 'You write what you want. An agent takes it.'],
  ['working', 'In its own worktree and branch. You can watch and steer.'],
  ['checking', 'Your checks run on the exact commit.'],
  ['needs-you', 'Read the diff, comment, approve. Or let it land by itself.'],
  ['landing', 'Tested once more on top of everything that lands before it.'],
  ['landed', 'The target moves to the tested commit. The worktree is removed.'],
];

/** What happens to a task, in the colours of its meanings. */
export function TaskLife() {
  return (
    <>
      <h2 className={styles.heading}>What happens to a task</h2>
      {LIFE.map(([meaning, words]) => (
        <div key={meaning} className={styles.meaning}>
          <span className={classNames(styles.tile, colours[meaning])}>
            <MeaningIcon meaning={meaning} isLive={false} />
          </span>
          <div>
            <strong>{MEANINGS[meaning].label}</strong>
            <p className={styles.words}>{words}</p>
          </div>
        </div>
      ))}
    </>
  );
}
