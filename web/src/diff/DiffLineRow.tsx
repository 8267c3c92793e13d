import type { DiffFile } from '../api/types';
import { classNames } from '../ui/classNames';
import { CodeText } from './CodeText';
import styles from './DiffLineRow.module.css';
import type { DiffSide, ShownLine } from './diffRows';
import { coloursOf } from './highlight/syntaxColours';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

interface LineProps {
  file: DiffFile;
  line: ShownLine;
}

/** A line of both versions below each other. */
export function UnifiedLine({ file, line }: LineProps) {
  return (
    <div className={classNames(styles.row, styles[line.kind])}>
      <span className={styles.number}>{line.oldNumber}</span>
      <span className={styles.number}>{line.newNumber}</span>
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
      <span className={styles.number}>{side === 'old' ? line.oldNumber : line.newNumber}</span>
      <LineText file={file} line={line} />
    </div>
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
