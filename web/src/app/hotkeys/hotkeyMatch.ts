/** A pressed key as bindings write it: `j`, `shift+j`, `ctrl+k`, `escape`, `?`. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  // Shift is part of the sign itself for `?`, but not for letters and named keys.
  const isSign = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase() && key !== 'space';
  return [
    event.ctrlKey || event.metaKey ? 'ctrl+' : '',
    event.altKey ? 'alt+' : '',
    event.shiftKey && !isSign ? 'shift+' : '',
    key,
  ].join('');
}

/** How a sequence such as `g i` goes on: finished by this key, or waiting for the next. */
export function matchSequence(keys: string, typed: readonly string[]): 'full' | 'part' | 'none' {
  const wanted = keys.split(' ');
  if (typed.length > wanted.length || typed.some((key, index) => key !== wanted[index])) {
    return 'none';
  }
  return typed.length === wanted.length ? 'full' : 'part';
}

/** Keys that act also while a field has the focus. */
export function actsInFields(keys: string): boolean {
  return keys.includes('ctrl+') || keys === 'escape';
}
