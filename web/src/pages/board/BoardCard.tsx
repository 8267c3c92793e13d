import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { conflictsQuery } from '../../api/queries';
import type { Project, WorkflowView } from '../../api/types';
import { useLive } from '../../app/live';
import { actionMenu } from '../../task/actionMenu';
import { cardFacts } from '../../task/cardFacts';
import { conflictLines } from '../../task/conflicts';
import { TaskCard } from '../../task/TaskCard';
import { useActionPlan } from '../../task/useActionPlan';
import type { SituatedTask } from '../../task/useSituations';
import { useTaskActions } from '../../task/useTaskActions';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { ContextMenu, Menu } from '../../ui/Menu';
import styles from './BoardCard.module.css';
import { cardData } from './dragData';

interface BoardCardProps {
  card: SituatedTask;
  project: Project;
  workflow: WorkflowView;
  isSelected: boolean;
  /** The keyboard selected it, so it takes the focus. */
  takesFocus: boolean;
  /** It is one of several that the next action is for. */
  isChosen: boolean;
  onChoose: (isRange: boolean) => void;
  isMenuOpen: boolean;
  onMenuChange: (isOpen: boolean) => void;
  onSelect: () => void;
}

/** A card that can be dragged, with its quick action and menu on hover. */
export function BoardCard(props: BoardCardProps) {
  const { card, project, workflow, isSelected, takesFocus, isChosen, onChoose, isMenuOpen, onMenuChange, onSelect } =
    props;
  const element = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const perform = useTaskActions();
  const { stream } = useLive();
  const conflicts = useQuery(conflictsQuery(project.id));
  const plan = useActionPlan(card, workflow, isPointedAt || isSelected || isMenuOpen);
  const { task } = card;

  useEffect(() => {
    if (element.current === null) {
      return undefined;
    }
    return draggable({
      element: element.current,
      getInitialData: () => cardData(task),
      onDragStart: () => setDragging(true),
      onDrop: () => setDragging(false),
    });
  }, [task]);

  useEffect(() => {
    if (takesFocus) {
      link.current?.focus({ preventScroll: true });
    }
  }, [takesFocus]);

  const entries = plan === null ? [] : actionMenu(plan, (planned) => perform(task, planned));
  const isQuickShown = plan !== null && (isPointedAt || isMenuOpen) && !isDragging;
  const { primary } = plan ?? { primary: null };
  return (
    <ContextMenu label={`Actions for ${task.key}`} entries={entries}>
      <div
        ref={element}
        className={styles.card}
        data-task={task.key}
        onPointerEnter={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(false)}
        onFocusCapture={onSelect}
        onClickCapture={(event) => {
          // As in a list of files: Ctrl chooses one more, Shift all up to here. The link is not followed.
          if (event.ctrlKey || event.metaKey || event.shiftKey) {
            event.preventDefault();
            event.stopPropagation();
            onChoose(event.shiftKey);
          }
        }}
      >
        <TaskCard
          facts={cardFacts(card, project.slug, conflictLines(task.id, conflicts.data))}
          isSelected={isSelected}
          isChosen={isChosen}
          isDragging={isDragging}
          isStale={stream !== 'live'}
          linkRef={link}
          quick={
            isQuickShown ? (
              <span className={styles.quick}>
                {primary === null ? null : (
                  <Button size="small" onClick={() => perform(task, primary)}>
                    {primary.label}
                  </Button>
                )}
                <Menu
                  label={`Actions for ${task.key}`}
                  entries={entries}
                  open={isMenuOpen}
                  onOpenChange={onMenuChange}
                  trigger={<IconButton icon={Ellipsis} label={`More for ${task.key}`} size="small" look="secondary" />}
                />
              </span>
            ) : undefined
          }
        />
      </div>
    </ContextMenu>
  );
}
