import { actsInFields, keyName, matchSequence } from './hotkeyMatch';

/** One key or sequence and what it does. */
export interface Hotkey {
  keys: string;
  label: string;
  /** The heading under which the help lists it. */
  group: string;
  run: () => void;
}

const SEQUENCE_MS = 1_000;

/** The latest registration comes first: the narrower place wins. */
let registered: readonly (readonly Hotkey[])[] = [];
let typed: string[] = [];
let forget: ReturnType<typeof setTimeout> | undefined;

export function registerHotkeys(hotkeys: readonly Hotkey[]): () => void {
  registered = [hotkeys, ...registered];
  return () => {
    registered = registered.filter((other) => other !== hotkeys);
  };
}

/** Every key that acts now; one that a narrower place took over is listed once. */
export function currentHotkeys(): readonly Hotkey[] {
  const seen = new Set<string>();
  return registered.flat().filter(({ keys }) => {
    const isFirst = !seen.has(keys);
    seen.add(keys);
    return isFirst;
  });
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A dialog or menu over the page takes all keys but its own. */
function isCovered(): boolean {
  return document.querySelector('dialog[open], [role="menu"]') !== null;
}

/** Runs what a key press means; returns how to stop listening. */
export function listenForHotkeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) {
      return;
    }
    const name = keyName(event);
    const inField = isField(event.target);
    if (isCovered() || (inField && !actsInFields(name))) {
      return;
    }
    clearTimeout(forget);
    typed = [...typed, name];
    let match = findMatch(typed);
    if (match === 'none' && typed.length > 1) {
      typed = [name];
      match = findMatch(typed);
    }
    if (match === 'part') {
      forget = setTimeout(() => {
        typed = [];
      }, SEQUENCE_MS);
      return;
    }
    typed = [];
    if (match !== 'none') {
      event.preventDefault();
      match.run();
    }
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function findMatch(pressed: readonly string[]): Hotkey | 'part' | 'none' {
  const hotkeys = currentHotkeys();
  const full = hotkeys.find(({ keys }) => matchSequence(keys, pressed) === 'full');
  if (full !== undefined) {
    return full;
  }
  return hotkeys.some(({ keys }) => matchSequence(keys, pressed) === 'part') ? 'part' : 'none';
}
