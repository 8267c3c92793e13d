import { type RefObject, useEffect, useRef, useState } from 'react';

import styles from './HorizontalScroll.module.css';

/** Widths of the number and sign columns, as in the style sheet of the lines. */
const GUTTERS = { split: 46 + 18 + 8, unified: 46 + 46 + 18 + 8 };
const SAMPLE = 'x'.repeat(100);

interface HorizontalScrollProps {
  /** The element with the lines; it gets `--scrolled` in pixels. */
  view: RefObject<HTMLElement | null>;
  /** The length of the longest line. */
  characters: number;
  isSplit: boolean;
}

/** One scroll bar for the lines of all files and both sides; the numbers stay where they are. */
export function HorizontalScroll({ view, characters, isSplit }: HorizontalScrollProps) {
  const bar = useRef<HTMLElement>(null);
  const sample = useRef<HTMLSpanElement>(null);
  const [hidden, setHidden] = useState(0);
  useEffect(() => {
    const element = view.current;
    if (element === null) {
      return undefined;
    }
    const measure = () => {
      const character = (sample.current?.getBoundingClientRect().width ?? 0) / SAMPLE.length;
      const room = isSplit ? element.clientWidth / 2 - GUTTERS.split : element.clientWidth - GUTTERS.unified;
      setHidden(Math.max(0, Math.ceil(Math.min(characters, 5_000) * character - room + 24)));
    };
    const onWheel = (event: WheelEvent) => {
      const distance = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (bar.current !== null && distance !== 0 && Math.abs(event.deltaX) >= Math.abs(event.deltaY)) {
        bar.current.scrollLeft += distance;
      }
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
      element.style.removeProperty('--scrolled');
    };
  }, [view, characters, isSplit]);
  const onScroll = () => view.current?.style.setProperty('--scrolled', String(bar.current?.scrollLeft ?? 0));
  return (
    <>
      <span ref={sample} className={styles.sample} aria-hidden="true">
        {SAMPLE}
      </span>
      {hidden === 0 ? null : (
        <section
          ref={bar}
          className={styles.bar}
          aria-label="Scroll long lines"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          onScroll={onScroll}
        >
          <div className={styles.width} style={{ width: `calc(100% + ${hidden}px)` }} />
        </section>
      )}
    </>
  );
}
