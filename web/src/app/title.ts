import { useEffect } from 'react';

let pageTitle: string | undefined;
let needsYou = 0;

function showTitle(): void {
  const count = needsYou === 0 ? '' : `(${needsYou}) `;
  document.title = pageTitle === undefined ? `${count}Forge` : `${count}${pageTitle} · Forge`;
}

function showFavicon(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const file = needsYou === 0 ? '/favicon.svg' : '/favicon-needs-you.svg';
  if (link !== null && link.getAttribute('href') !== file) {
    link.setAttribute('href', file);
  }
}

/** Names the page in the browser's tab and history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    pageTitle = title;
    showTitle();
  }, [title]);
}

/** Shows in the tab how many things need the user. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    needsYou = count;
    showTitle();
    showFavicon();
    return () => {
      needsYou = 0;
      showTitle();
      showFavicon();
    };
  }, [count]);
}
