import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type PointerEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

import { classNames } from '../ui/classNames';
import { DiffFileHeader } from './DiffFileHeader';
import { SplitLine, UnifiedLine } from './DiffLineRow';
import styles from './DiffList.module.css';
import { DiffNoteRow } from './DiffNoteRow';
import { headerOf, isFileRow, rowFrom, startsChange } from './diffPlaces';
import type { DiffRow, ParsedFile } from './diffRows';
import { HorizontalScroll } from './HorizontalScroll';
import { coloursVersion, requestColours, subscribeToColours } from './highlight/syntaxColours';
import { LineCommentForm, LineCommentView } from './LineCommentRow';
import { type CommentedLines, lineFrom } from './lineComments';

/** Heights as in the style sheets; wrapped lines are measured. */
const HEIGHTS: Readonly<Record<DiffRow['kind'], number>> = {
  file: 38,
  note: 44,
  gap: 28,
  line: 20,
  pair: 20,
  comment: 84,
  draft: 132,
  end: 13,
};
const HEADER = 38;
/** How far below the top a place that was jumped to is shown. */
const LEAD = HEADER + 40;

/** What the keys and the file tree do with the list. */
export interface DiffListHandle {
  showFile: (path: string) => void;
  step: (what: 'change' | 'file', direction: 1 | -1) => void;
  currentPath: () => string | undefined;
  /** The line that a comment from the keyboard is about: the change that was jumped to, else the first in sight. */
  currentLine: () => CommentedLines | null;
}

interface DiffListProps {
  files: readonly ParsedFile[];
  rows: readonly DiffRow[];
  isWrapped: boolean;
  onToggle: (path: string) => void;
  onCurrent: (path: string | undefined) => void;
  handle: Ref<DiffListHandle>;
}

/** The lines of all files in one list, of which only those near the screen exist. */
export function DiffList({ files, rows, isWrapped, onToggle, onCurrent, handle }: DiffListProps) {
  useSyncExternalStore(subscribeToColours, coloursVersion);
  const scroll = useRef<HTMLElement>(null);
  const cursor = useRef<number | null>(null);
  const header = useRef(0);
  const [marked, setMarked] = useState<number | null>(null);
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? 'line'],
    overscan: 40,
    rangeExtractor: (range) => {
      // The header of the file at the top stays in place, so it has to exist.
      header.current = headerOf(rows, range.startIndex);
      const indexes = defaultRangeExtractor(range);
      return indexes.includes(header.current) ? indexes : [header.current, ...indexes];
    },
  });
  const items = virtualizer.getVirtualItems();
  const top = rows[header.current];
  const currentPath = top === undefined ? undefined : files[top.fileIndex]?.file.path;
  useEffect(() => onCurrent(currentPath), [currentPath, onCurrent]);

  const shown = new Set(items.map(({ index }) => rows[index]?.fileIndex));
  useEffect(() => {
    for (const index of shown) {
      const parsed = index === undefined ? undefined : files[index];
      if (parsed !== undefined) {
        requestColours(parsed.file);
      }
    }
  });

  const jump = (index: number | null, lead: number) => {
    if (index === null) {
      return;
    }
    cursor.current = index;
    setMarked(index);
    const offset = virtualizer.getOffsetForIndex(index, 'start')?.[0] ?? 0;
    virtualizer.scrollToOffset(Math.max(0, offset - lead));
  };
  /** The row that a step starts from: the one jumped to, as long as it is in sight. */
  const place = (): number => {
    const [first, last] = [virtualizer.range?.startIndex ?? 0, virtualizer.range?.endIndex ?? 0];
    const held = cursor.current;
    return held !== null && held >= first - 1 && held <= last ? held : first - 1;
  };
  useImperativeHandle(handle, () => ({
    showFile: (path) =>
      jump(
        rows.findIndex((row) => isFileRow(row) && files[row.fileIndex]?.file.path === path),
        0,
      ),
    step: (what, direction) => {
      if (what === 'change') {
        jump(rowFrom(rows, place(), direction, startsChange), LEAD);
      } else {
        const from = direction === 1 ? header.current : Math.min(header.current, place());
        jump(rowFrom(rows, from, direction, isFileRow), 0);
      }
    },
    currentPath: () => currentPath,
    currentLine: () => lineFrom(rows, files, Math.max(0, place())),
  }));

  const onPointerDown = ({ target, currentTarget }: PointerEvent<HTMLElement>) => {
    const side = target instanceof Element ? target.closest<HTMLElement>('[data-side]')?.dataset['side'] : undefined;
    currentTarget.dataset['selecting'] = side ?? '';
  };
  const isSplit = rows.some(({ kind }) => kind === 'pair');
  const width = Math.max(0, ...files.map((parsed) => parsed.width));
  return (
    <div className={styles.frame}>
      <section
        ref={scroll}
        className={styles.scroll}
        aria-label="Changes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        data-wrapped={isWrapped || undefined}
        onPointerDown={onPointerDown}
      >
        <div className={styles.items} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            const parsed = row === undefined ? undefined : files[row.fileIndex];
            if (row === undefined || parsed === undefined) {
              return null;
            }
            const isStuck = index === header.current;
            return (
              <div
                key={key}
                ref={(isWrapped && isLine(row)) || isTalk(row) ? virtualizer.measureElement : undefined}
                data-index={index}
                className={classNames(
                  styles.item,
                  isStuck && styles.stuck,
                  isFileRow(row) && styles.header,
                  row.kind !== 'end' && !isFileRow(row) && styles.body,
                  row.kind === 'end' && rows[index - 1]?.kind !== 'file' && styles.end,
                  index === marked && styles.marked,
                )}
                style={isStuck ? { height: HEIGHTS.file } : { transform: `translateY(${start}px)` }}
              >
                <RowView row={row} parsed={parsed} onToggle={onToggle} />
              </div>
            );
          })}
        </div>
      </section>
      {isWrapped ? null : <HorizontalScroll view={scroll} characters={width} isSplit={isSplit} />}
    </div>
  );
}

function isLine(row: DiffRow): boolean {
  return row.kind === 'line' || row.kind === 'pair';
}

/** Rows as high as what is written in them. */
function isTalk(row: DiffRow): boolean {
  return row.kind === 'comment' || row.kind === 'draft';
}

interface RowViewProps extends Pick<DiffListProps, 'onToggle'> {
  row: DiffRow;
  parsed: ParsedFile;
}

function RowView({ row, parsed: { file }, onToggle }: RowViewProps) {
  switch (row.kind) {
    case 'file':
      return <DiffFileHeader file={file} isOpen={row.isOpen} onToggle={() => onToggle(file.path)} />;
    case 'note':
      return <DiffNoteRow file={file} note={row.note} />;
    case 'gap':
      return (
        <div className={styles.gap}>
          <span>
            {row.hidden.toLocaleString()} unchanged {row.hidden === 1 ? 'line' : 'lines'}
          </span>
          <code>{row.heading}</code>
        </div>
      );
    case 'line':
      return <UnifiedLine file={file} line={row.line} />;
    case 'pair':
      return <SplitLine file={file} old={row.old} next={row.new} />;
    case 'comment':
      return <LineCommentView comment={row.comment} />;
    case 'draft':
      return <LineCommentForm lines={row.lines} />;
    case 'end':
      return null;
  }
}
