import type { DiffFile } from '../api/types';
import { classNames } from '../ui/classNames';
import { CodeText } from './CodeText';
import styles from './DiffLineRow.module.css';
import type { DiffSide, ShownLine } from './diffRows';
import { coloursOf } from './highlight/syntaxColours';
import { useLineReview } from './lineReview';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

interface LineProps {
  file: DiffFile;
  line: ShownLine;
}

/** A line of both versions below each other. */
export function UnifiedLine({ file, line }: LineProps) {
  return (
    <div className={classNames(styles.row, styles[line.kind])}>
      <LineNumber file={file} line={line} side="old" />
      <LineNumber file={file} line={line} side="new" />
      <LineText file={file} line={line} />
    </div>
  );
}

/** A line of the old version beside one of the new. */
export function SplitLine({ file, old, next }: { file: DiffFile; old: ShownLine | null; next: ShownLine | null }) {
  return (
    <div className={styles.pair}>
      <Half file={file} line={old} side="old" />
      <Half file={file} line={next} side="new" />
    </div>
  );
}

function Half({ file, line, side }: { file: DiffFile; line: ShownLine | null; side: DiffSide }) {
  if (line === null) {
    return <div className={classNames(styles.half, styles.missing)} data-side={side} />;
  }
  return (
    <div className={classNames(styles.half, styles[line.kind])} data-side={side}>
      <LineNumber file={file} line={line} side={side} />
      <LineText file={file} line={line} />
    </div>
  );
}

/** The number of a line; where comments are taken, it begins one. Shift extends it from the line chosen before. */
function LineNumber({ file, line, side }: LineProps & { side: DiffSide }) {
  const review = useLineReview();
  const number = side === 'old' ? line.oldNumber : line.newNumber;
  if (review === null || number === null) {
    return <span className={styles.number}>{number}</span>;
  }
  const isChosen = review.isChosen(file.path, side, number);
  return (
    <button
      type="button"
      // The key C does the same; a stop at each line would make the page endless for the keyboard.
      tabIndex={-1}
      className={classNames(styles.number, styles.pick, isChosen && styles.chosen)}
      aria-label={`${number}, comment on this line`}
      onClick={(event) => review.pick({ path: file.path, side, from: number, to: number }, event.shiftKey)}
    >
      {number}
    </button>
  );
}

function LineText({ file, line }: LineProps) {
  return (
    <>
      <span className={styles.sign}>{SIGNS[line.kind]}</span>
      <span className={styles.code}>
        <span className={styles.text}>
          <CodeText text={line.text} tokens={coloursOf(file, line)} words={line.words} kind={line.kind} />
          {line.isUnterminated === true ? <span className={styles.remark}> no line break at the end</span> : null}
        </span>
      </span>
    </>
  );
}
