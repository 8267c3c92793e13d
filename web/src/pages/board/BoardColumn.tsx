import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, ChevronsLeft, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';

import type { Project, WorkflowView } from '../../api/types';
import { openOverlay } from '../../app/overlayStore';
import { Button } from '../../ui/Button';
import { classNames } from '../../ui/classNames';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { humanize } from '../../ui/words';
import { BoardCard } from './BoardCard';
import styles from './BoardColumn.module.css';
import { type ColumnItem, columnItems } from './columnItems';
import { statesOf } from './columns';
import { placeData } from './dragData';
import { ItemPlace } from './ItemPlace';
import type { BoardColumn as ColumnData } from './useBoard';
import { type BoardDrag, phaseTakes } from './useBoardDrag';
import type { BoardSelection } from './useBoardSelection';

interface BoardColumnProps {
  column: ColumnData;
  project: Project;
  workflow: WorkflowView;
  drag: BoardDrag | null;
  selection: BoardSelection;
  isPhone: boolean;
  isSlim: boolean;
  onToggle: () => void;
}

const CARD_HEIGHT = 108;
const HEADING_HEIGHT = 28;

/** One phase: its states as headings, its cards under them, scrolled by itself. */
export function BoardColumn(props: BoardColumnProps) {
  const { column, workflow, drag, isPhone, isSlim, onToggle } = props;
  const name = humanize(column.phase);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (element.current === null) {
      return undefined;
    }
    const states = statesOf(workflow, column.phase).map((state) => state.name);
    return dropTargetForElements({ element: element.current, getData: () => placeData(states) });
  }, [workflow, column.phase]);
  const isOver = drag !== null && drag.over === column.phase && drag.drop !== null;
  const look = classNames(
    styles.column,
    isPhone && styles.isPhone,
    isSlim && styles.slim,
    isOver && drag.drop?.kind !== 'refused' && styles.allowed,
    drag !== null && !phaseTakes(drag, workflow, column.phase) && styles.refused,
  );
  const { count } = column;
  return (
    <section ref={element} className={look} aria-label={name} data-phase={column.phase}>
      {isSlim ? (
        <button type="button" className={styles.opener} onClick={onToggle}>
          <Icon icon={ChevronRight} size={14} />
          <span className="visually-hidden">Open</span>
          <span className={styles.slimName}>{name}</span>
          <span className={styles.count}>{count}</span>
        </button>
      ) : (
        <>
          {isPhone ? null : (
            <h2 className={styles.head}>
              <span className={styles.name}>
                {name} <span className={styles.count}>{count}</span>
              </span>
              <IconButton
                icon={ChevronsLeft}
                label={`Close ${name}`}
                size="small"
                className={styles.close}
                onClick={onToggle}
              />
              <IconButton
                icon={Plus}
                label={`New task in ${props.project.name}`}
                size="small"
                onClick={() => openOverlay({ kind: 'new-task', project: props.project.slug })}
              />
            </h2>
          )}
          {column.isLoading ? <Skeleton what={name} rows={4} /> : <ColumnItems {...props} />}
        </>
      )}
    </section>
  );
}

function ColumnItems({ column, project, workflow, selection }: BoardColumnProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const items = columnItems(workflow, column.phase, column.cards);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => (items[index]?.kind === 'heading' ? HEADING_HEIGHT : CARD_HEIGHT),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
  });
  useEffect(() => (scroll.current === null ? undefined : autoScrollForElements({ element: scroll.current })), []);
  const selectedIndex = items.findIndex((item) => item.kind === 'card' && item.card.task.id === selection.selected);
  const { isByKeyboard } = selection;
  useEffect(() => {
    if (isByKeyboard && selectedIndex >= 0) {
      virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
    }
  }, [isByKeyboard, selectedIndex, virtualizer]);
  return (
    <div className={styles.scroll} ref={scroll}>
      <div className={styles.items} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <ItemPlace
              key={item.id}
              state={item.state}
              index={row.index}
              measure={virtualizer.measureElement}
              className={styles.item}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {item.kind === 'heading' ? (
                <h3 className={styles.heading}>
                  {item.heading} <span>{item.count}</span>
                </h3>
              ) : (
                <BoardCard
                  card={item.card}
                  project={project}
                  workflow={workflow}
                  isSelected={item.card.task.id === selection.selected}
                  takesFocus={isByKeyboard && item.card.task.id === selection.selected}
                  isChosen={selection.choice.chosen.has(item.card.task.id)}
                  onChoose={(isRange) =>
                    isRange
                      ? selection.choice.extendTo(item.card.task.id, taskIds(items))
                      : selection.choice.toggle(item.card.task.id)
                  }
                  isMenuOpen={item.card.task.id === selection.menuOf}
                  onMenuChange={(isOpen) => selection.openMenu(isOpen ? item.card.task.id : null)}
                  onSelect={() => selection.select(item.card.task.id)}
                />
              )}
            </ItemPlace>
          );
        })}
      </div>
      {column.hasMore ? (
        <div className={styles.more}>
          <Button look="ghost" wide onClick={column.loadMore}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function taskIds(items: readonly ColumnItem[]): string[] {
  return items.flatMap((item) => (item.kind === 'card' ? [item.card.task.id] : []));
}
