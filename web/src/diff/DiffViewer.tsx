import { Download, Files, Pilcrow, WrapText } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';

import type { DiffFile } from '../api/types';
import { useHotkeys } from '../app/hotkeys/useHotkeys';
import { Button } from '../ui/Button';
import { ButtonAnchor } from '../ui/ButtonLink';
import { NARROW, PHONE, useMedia } from '../ui/media';
import { Segmented } from '../ui/Segmented';
import { DiffList, type DiffListHandle } from './DiffList';
import styles from './DiffViewer.module.css';
import { changeDiffPreferences, useDiffPreferences } from './diffPreferences';
import { type DiffMode, diffRows, parseFile } from './diffRows';
import { FileTree } from './FileTree';
import { inTreeOrder } from './fileTree';
import { type CommentedLines, quoteOf, withComments } from './lineComments';
import { LineReviewProvider } from './lineReview';
import { SendReview } from './SendReview';
import { useLineComments } from './useLineComments';

/** Files with more changed lines are closed at first, so that they do not bury the others. */
const OPEN_LINES = 2_000;

const MODES: readonly { value: DiffMode; label: string }[] = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Split' },
];

interface DiffViewerProps {
  files: readonly DiffFile[];
  /** What is compared: shown at the left of the bar. */
  scope?: ReactNode;
  /** Notices above the files. */
  notices?: ReactNode;
  /** Another list stands beside it, so the tree opens on request. */
  isTreeFolded?: boolean;
  /** Where the whole patch can be downloaded. */
  patchHref?: string | undefined;
  /** Takes comments on lines; left out, the diff is only read. */
  comments?: {
    /** Under which name they are kept until they are sent. */
    name: string;
    /** Sends them as one message. */
    send: (message: string) => Promise<unknown>;
    /** What sending does. */
    hint: string;
  };
}

/** Changed files with their tree, unified or side by side. */
export function DiffViewer({ files, scope, notices, patchHref, comments, isTreeFolded = false }: DiffViewerProps) {
  const isPhone = useMedia(PHONE);
  const isNarrow = useMedia(NARROW);
  const preferences = useDiffPreferences();
  const mode: DiffMode = isPhone ? 'unified' : preferences.mode;
  const isWrapped = isPhone || preferences.isWrapped;
  const { isWhitespaceHidden } = preferences;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [isTreeAsked, setTreeAsked] = useState(false);
  const [current, setCurrent] = useState<string>();
  const list = useRef<DiffListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const hasTreeButton = isNarrow || isTreeFolded;
  const isTreeShown = hasTreeButton ? isTreeAsked : files.length > 0;

  const parsed = useMemo(
    () => inTreeOrder(files).map((file) => parseFile(file, isWhitespaceHidden)),
    [files, isWhitespaceHidden],
  );
  const plainRows = useMemo(() => {
    const isLong = new Set(
      files.filter((file) => (file.additions ?? 0) + (file.deletions ?? 0) > OPEN_LINES).map(({ path }) => path),
    );
    return diffRows(parsed, mode, (path) => isLong.has(path) === toggled.has(path));
  }, [files, parsed, mode, toggled]);
  const quote = useCallback((lines: CommentedLines) => quoteOf(plainRows, parsed, lines), [plainRows, parsed]);
  const written = useLineComments(comments?.name ?? '', quote);
  const rows = useMemo(
    () => (comments === undefined ? plainRows : withComments(plainRows, parsed, written.comments, written.lines)),
    [comments, plainRows, parsed, written.comments, written.lines],
  );
  const comment = () => {
    const line = list.current?.currentLine() ?? null;
    if (line !== null) {
      written.review.pick(line, false);
    }
  };

  const toggle = useCallback((path: string) => {
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(path)) {
        after.add(path);
      }
      return after;
    });
  }, []);
  const openFile = (path: string) => {
    setTreeAsked(false);
    list.current?.showFile(path);
  };
  const findFile = () => {
    setTreeAsked(true);
    // The tree may have to be drawn first.
    requestAnimationFrame(() => search.current?.focus());
  };
  const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: 'Diff', run });
  const switchMode = () => changeDiffPreferences({ mode: preferences.mode === 'split' ? 'unified' : 'split' });
  const switchWhitespace = () => changeDiffPreferences({ isWhitespaceHidden: !isWhitespaceHidden });
  useHotkeys([
    key('n', 'Next change', () => list.current?.step('change', 1)),
    key('p', 'Previous change', () => list.current?.step('change', -1)),
    key('shift+n', 'Next file', () => list.current?.step('file', 1)),
    key('shift+p', 'Previous file', () => list.current?.step('file', -1)),
    key('t', 'Find a file', findFile),
    key('u', 'Unified or split', switchMode),
    key('w', 'Hide or show whitespace', switchWhitespace),
    ...(comments === undefined ? [] : [key('c', 'Comment on the line', comment)]),
  ]);
  return (
    <div className={styles.viewer}>
      <div className={styles.bar}>
        {scope}
        <span className={styles.space} />
        {hasTreeButton && files.length > 0 ? (
          <Button
            look="ghost"
            size="small"
            icon={Files}
            aria-expanded={isTreeAsked}
            onClick={() => setTreeAsked(!isTreeAsked)}
          >
            {files.length} {files.length === 1 ? 'file' : 'files'}
          </Button>
        ) : null}
        {isPhone ? null : (
          <Button
            look="ghost"
            size="small"
            icon={WrapText}
            aria-pressed={isWrapped}
            onClick={() => changeDiffPreferences({ isWrapped: !preferences.isWrapped })}
          >
            Wrap
          </Button>
        )}
        <Button
          look="ghost"
          size="small"
          icon={Pilcrow}
          hotkey="W"
          aria-pressed={isWhitespaceHidden}
          onClick={switchWhitespace}
        >
          Whitespace: {isWhitespaceHidden ? 'hidden' : 'shown'}
        </Button>
        {patchHref === undefined ? null : (
          <ButtonAnchor look="ghost" size="small" icon={Download} href={patchHref} download>
            Patch
          </ButtonAnchor>
        )}
        {comments === undefined || written.comments.length === 0 ? null : (
          <SendReview comments={written.comments} onSent={written.forget} send={comments.send} hint={comments.hint} />
        )}
        {isPhone ? null : (
          <Segmented
            label="Layout"
            options={MODES}
            value={mode}
            onChange={(chosen) => changeDiffPreferences({ mode: chosen })}
          />
        )}
      </div>
      {notices}
      <div className={styles.panes}>
        {isTreeShown ? (
          <div className={styles.tree}>
            <FileTree files={files} current={current} searchRef={search} onOpen={openFile} />
          </div>
        ) : null}
        <LineReviewProvider value={comments === undefined ? null : written.review}>
          <DiffList
            handle={list}
            files={parsed}
            rows={rows}
            isWrapped={isWrapped}
            onToggle={toggle}
            onCurrent={setCurrent}
          />
        </LineReviewProvider>
      </div>
    </div>
  );
}
