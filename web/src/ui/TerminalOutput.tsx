import Anser from 'anser';
import { type ComponentPropsWithRef, useMemo } from 'react';

import { classNames } from './classNames';
import styles from './TerminalOutput.module.css';
import { colourText } from './terminalText';

/** What a program printed, with its colours mapped to those of the page. */
export function TerminalOutput({ text, ...rest }: { text: string } & ComponentPropsWithRef<'pre'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long output is scrolled by the keyboard
    <pre {...rest} className={styles.output} tabIndex={0}>
      <TerminalLine text={text} />
    </pre>
  );
}

/** The same without a box of its own. */
export function TerminalLine({ text }: { text: string }) {
  const spans = useMemo(() => Anser.ansiToJson(colourText(text), { use_classes: true, remove_empty: true }), [text]);
  return spans.map((span, index) => {
    const colour = span.fg?.replace(/^ansi-(bright-)?/, '') ?? '';
    const name = classNames(
      styles[colour === 'black' || colour === 'white' ? 'plain' : colour],
      span.decorations.includes('bold') && styles.bold,
      span.decorations.includes('dim') && styles.dim,
    );
    return name === '' ? (
      span.content
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: output only grows at its end
      <span key={index} className={name}>
        {span.content}
      </span>
    );
  });
}
