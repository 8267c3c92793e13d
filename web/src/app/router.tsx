import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function changed(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Goes to another page. */
export function navigate(address: string): void {
  window.history.pushState(null, '', address);
  window.scrollTo(0, 0);
  changed();
  // As after loading a page: the keyboard and screen readers begin at its content.
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Goes to another page that takes the place of the present one, to which nobody should come back. */
export function redirect(address: string): void {
  window.history.replaceState(null, '', address);
  changed();
}

/** Sets a query parameter of the present page, without a step back to the old value. */
export function replaceParameter(name: string, value: string): void {
  const address = new URL(window.location.href);
  address.searchParams.set(name, value);
  window.history.replaceState(null, '', address);
  changed();
}

/** The path of the present page. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

/** A query parameter of the present page. */
export function useParameter(name: string): string | null {
  return useSyncExternalStore(subscribe, () => new URLSearchParams(window.location.search).get(name));
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

/** A link within Forge: a plain one for the browser, a change of page without loading for a plain click. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (plain && !event.defaultPrevented) {
      event.preventDefault();
      navigate(href);
    }
  };
  return <a {...rest} href={href} onClick={follow} />;
}
