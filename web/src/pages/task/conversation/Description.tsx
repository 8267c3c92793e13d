import { useLayoutEffect, useRef, useState } from 'react';

import type { Task } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { classNames } from '../../../ui/classNames';
import { Markdown } from '../../../ui/Markdown';
import styles from './Description.module.css';

interface DescriptionProps {
  task: Task;
  /** Before the first execution the description is what there is to read. */
  isFoldable: boolean;
}

/** What the agent was asked to do; three lines of it once an execution ran. */
export function Description({ task, isFoldable }: DescriptionProps) {
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const text = useRef<HTMLDivElement>(null);
  const isFolded = isFoldable && !isOpen;
  useLayoutEffect(() => {
    const element = text.current;
    if (element === null || !isFolded) {
      return undefined;
    }
    // Markdown is drawn once its parser is loaded.
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 4));
    observer.observe(element);
    for (const child of element.children) {
      observer.observe(child);
    }
    return () => observer.disconnect();
  }, [isFolded]);
  return task.description === '' ? (
    <p className={styles.none}>No description.</p>
  ) : (
    <div className={styles.description}>
      <div ref={text} className={classNames(isFolded && styles.folded)}>
        <Markdown source={task.description} />
      </div>
      {isFoldable && (isLong || isOpen) ? (
        <Button look="ghost" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show the whole description'}
        </Button>
      ) : null}
    </div>
  );
}
