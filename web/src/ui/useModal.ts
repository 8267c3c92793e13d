import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Shows a `<dialog>` over the page for as long as it is rendered. The browser keeps the focus inside and makes the page
 * behind it inert; nothing is injected into the page, so a strict content security policy holds.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opener] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) {
      return undefined;
    }
    // It is rendered open so that a field with `autoFocus` gets the focus, which showModal would give to the first one.
    const focused = document.activeElement;
    element.removeAttribute('open');
    element.showModal();
    if (focused instanceof HTMLElement && element.contains(focused)) {
      focused.focus();
    }
    return () => {
      element.close();
      if (opener instanceof HTMLElement) {
        opener.focus();
      }
    };
  }, [opener]);
  return dialog;
}
