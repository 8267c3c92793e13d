import { classNames } from '../../ui/classNames';
import { humanize } from '../../ui/words';
import styles from './DragHint.module.css';
import type { BoardDrag } from './useBoardDrag';

/** Says at the pointer what a drop would do, or why it is refused. */
export function DragHint({ drag }: { drag: BoardDrag }) {
  if (drag.drop === null) {
    return null;
  }
  const { drop } = drag;
  const words =
    drop.kind === 'refused' ? drop.reason : drop.kind === 'start' ? 'Start' : `Move to ${humanize(drop.state)}`;
  return (
    <div
      className={classNames(styles.hint, drop.kind === 'refused' && styles.refused)}
      style={{ transform: `translate(${drag.x + 14}px, ${drag.y + 14}px)` }}
    >
      {words}
    </div>
  );
}
