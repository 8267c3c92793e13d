import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Copy, WrapText } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';

import { reviewLogQuery } from '../../../api/queries';
import type { Review } from '../../../api/types';
import { useHotkeys } from '../../../app/hotkeys/useHotkeys';
import { Button } from '../../../ui/Button';
import { classNames } from '../../../ui/classNames';
import { copyText } from '../../../ui/copyText';
import { IconButton } from '../../../ui/IconButton';
import { FailureNotice } from '../../../ui/Notice';
import { TerminalLine } from '../../../ui/TerminalOutput';
import { colourText, plainText } from '../../../ui/terminalText';
import { plural } from '../../../ui/words';
import styles from './CheckLog.module.css';
import { type CheckStep, isProblem } from './checkSteps';

const LINE = 19;

/** The output of one check, with a way from error to error. */
export function CheckLog({ review, step }: { review: Review; step: CheckStep }) {
  const { result } = step;
  const log = useQuery(reviewLogQuery(review, step.result));
  const [isWrapped, setWrapped] = useState(false);
  const [at, setAt] = useState(-1);
  const scroll = useRef<HTMLElement>(null);
  const text = log.data?.text ?? result?.output_tail ?? '';
  const lines = useMemo(() => colourText(text).replace(/\n$/, '').split('\n'), [text]);
  const problems = useMemo(() => lines.flatMap((line, index) => (isProblem(plainText(line)) ? [index] : [])), [lines]);
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE,
    overscan: 30,
  });
  const show = (index: number) => {
    const line = problems.at(index % Math.max(1, problems.length));
    if (line !== undefined) {
      setAt(problems.indexOf(line));
      virtualizer.scrollToIndex(line, { align: 'center' });
    }
  };
  const isLoaded = log.data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the output is there
  useEffect(() => {
    if (isLoaded && step.state === 'failed') {
      if (problems.length > 0) {
        show(0);
      } else {
        virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
      }
    }
  }, [isLoaded]);
  const key = (keys: string, label: string, run: () => void) => ({ keys, label, group: 'Log', run });
  useHotkeys([
    key('e', 'Next error', () => show(at + 1)),
    key('w', 'Wrap lines', () => setWrapped(!isWrapped)),
    key('end', 'End of the output', () => virtualizer.scrollToIndex(lines.length - 1, { align: 'end' })),
  ]);
  return (
    <div className={styles.log}>
      <div className={styles.head}>
        <code className={styles.command}>{step.command}</code>
        {result === null || result.exit_code === null || result.exit_code === 0 ? null : (
          <span className={styles.exit}>exit {result.exit_code}</span>
        )}
        {problems.length === 0 ? null : (
          <>
            <span>{plural(problems.length, 'error')}</span>
            <IconButton icon={ArrowUp} label="Previous error" size="small" onClick={() => show(at - 1)} />
            <span className={styles.place}>
              {at + 1} / {problems.length}
            </span>
            <IconButton icon={ArrowDown} label="Next error" hotkey="e" size="small" onClick={() => show(at + 1)} />
          </>
        )}
        <span className={styles.space} />
        <Button
          look="ghost"
          size="small"
          icon={WrapText}
          aria-pressed={isWrapped}
          onClick={() => setWrapped(!isWrapped)}
        >
          Wrap
        </Button>
        <IconButton
          icon={Copy}
          label="Copy output"
          size="small"
          onClick={() => copyText(plainText(text), 'Output copied.')}
        />
      </div>
      <FailureNotice failure={log.error} />
      {log.data?.isCut === true ? <p className={styles.cut}>The beginning of the output is left out.</p> : null}
      <section
        ref={scroll}
        className={styles.scroll}
        aria-label={`Output of ${step.command}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
      >
        {text === '' ? (
          <p className={styles.cut}>{step.state === 'running' ? 'No output yet.' : 'No output.'}</p>
        ) : (
          <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key: itemKey, start }) => (
              <div
                key={itemKey}
                ref={isWrapped ? virtualizer.measureElement : undefined}
                data-index={index}
                className={classNames(
                  styles.line,
                  isWrapped && styles.wrapped,
                  problems.includes(index) && styles.problem,
                  problems[at] === index && styles.current,
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={styles.number}>{index + 1}</span>
                <span className={styles.text}>
                  <TerminalLine text={lines[index] ?? ''} />
                </span>
              </div>
            ))}
          </div>
        )}
      </section>
    </div>
  );
}
