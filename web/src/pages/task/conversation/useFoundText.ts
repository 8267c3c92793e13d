import { type RefObject, useEffect } from 'react';

/** The name of the highlight in the style sheet. */
const HIGHLIGHT = 'found';

/** Marks a text wherever the visible part of the list shows it. */
export function useFoundText(list: RefObject<HTMLElement | null>, text: string): void {
  // After every rendering, because scrolling brings other rows.
  useEffect(() => {
    if (!('highlights' in CSS)) {
      return;
    }
    if (text === '' || list.current === null) {
      CSS.highlights.delete(HIGHLIGHT);
      return;
    }
    CSS.highlights.set(HIGHLIGHT, new Highlight(...rangesOf(list.current, text.toLowerCase())));
  });
  useEffect(() => () => void ('highlights' in CSS && CSS.highlights.delete(HIGHLIGHT)), []);
}

function rangesOf(element: HTMLElement, text: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const content = (node.textContent ?? '').toLowerCase();
    for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) {
      // Some letters change their length in lower case.
      if (at + text.length <= (node.textContent?.length ?? 0)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + text.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}
