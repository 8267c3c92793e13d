import { classNames } from '../ui/classNames';
import styles from './CodeText.module.css';
import type { TextRange } from './changedWords';
import { codeSpans, type SyntaxToken } from './codeSpans';

interface CodeTextProps {
  text: string;
  tokens?: readonly SyntaxToken[] | undefined;
  words?: readonly TextRange[] | undefined;
  /** Whether the words that changed were added or removed. */
  kind?: 'same' | 'added' | 'removed';
}

/** One line of code with its colours and the words that changed in it. */
export function CodeText({ text, tokens, words, kind = 'same' }: CodeTextProps) {
  const { spans, omitted } = codeSpans(text, tokens, words);
  return (
    <>
      {spans.map(({ text: part, role, isChanged }, index) =>
        role === null && !isChanged ? (
          part
        ) : (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change their order
            key={index}
            className={classNames(role !== null && styles[role], isChanged && styles[`${kind}Word`])}
          >
            {part}
          </span>
        ),
      )}
      {omitted === 0 ? null : <span className={styles.omitted}> … {omitted.toLocaleString()} more characters</span>}
    </>
  );
}
