import type { NeedsPerson } from '../../api/types';
import { personReasonLook, personReasonWords } from '../../task/personReasons';
import { classNames } from '../../ui/classNames';
import { MeaningIcon } from '../../ui/MeaningIcon';
import colours from '../../ui/meaning.module.css';
import { RelativeTime } from '../../ui/RelativeTime';
import { TableRowLink } from '../../ui/TableRow';
import styles from './NeedsYouRow.module.css';

interface NeedsYouRowProps {
  item: NeedsPerson;
  isSelected: boolean;
  onSelect: () => void;
}

/** Something that waits for the user, with why. Focus or hover shows its preview, Enter opens it. */
export function NeedsYouRow({ item, isSelected, onSelect }: NeedsYouRowProps) {
  const look = personReasonLook(item.reason);
  const meaning = look.isFailure ? 'failed' : 'needs-you';
  return (
    <TableRowLink
      to="/projects/$project/$taskKey"
      params={{ project: item.project_slug, taskKey: item.key }}
      isTall
      isSelected={isSelected}
      onFocus={onSelect}
      onMouseEnter={onSelect}
      data-row={item.task_id}
    >
      <MeaningIcon meaning={meaning} icon={look.icon} />
      <span className={styles.text}>
        <span className={styles.first}>
          <span className={styles.key}>{item.key}</span>
          <span className={styles.title}>{item.title}</span>
        </span>
        <span className={styles.second}>
          <span className={classNames(styles.reason, colours[meaning])}>{look.label}</span>
          <span className={styles.message}>{personReasonWords(item)}</span>
        </span>
      </span>
      <span className={styles.end}>
        <RelativeTime at={item.since} />
        <br />
        {item.project_name}
      </span>
    </TableRowLink>
  );
}
