import { ChevronDown } from 'lucide-react';

import { Button } from './Button';
import { classNames } from './classNames';
import styles from './GroupHeading.module.css';
import { Icon } from './Icon';

interface GroupHeadingProps {
  title: string;
  count: number | string;
  /** Folds the group; without it the heading is only a heading. */
  fold?: { isOpen: boolean; onToggle: () => void };
  action?: { label: string; onClick: () => void };
}

/** The heading of a group of rows. */
export function GroupHeading({ title, count, fold, action }: GroupHeadingProps) {
  return (
    <h2 className={styles.heading}>
      {fold === undefined ? (
        title
      ) : (
        <button type="button" className={styles.toggle} aria-expanded={fold.isOpen} onClick={fold.onToggle}>
          <Icon icon={ChevronDown} size={14} className={classNames(!fold.isOpen && styles.closed)} />
          {title}
        </button>
      )}
      <span className={styles.count}>{count}</span>
      {action === undefined ? null : (
        <Button look="ghost" size="small" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </h2>
  );
}
