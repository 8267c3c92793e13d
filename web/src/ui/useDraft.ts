import { useCallback, useState } from 'react';

const PREFIX = 'forge.draft.';

function readDraft<Fields extends object>(key: string, initial: Fields): Fields {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return typeof stored === 'object' && stored !== null ? { ...initial, ...stored } : initial;
  } catch {
    return initial;
  }
}

/**
 * The fields of a form. They survive closing it, leaving the page and reloading it, until `forget` is called because
 * they were sent.
 */
export function useDraft<Fields extends object>(name: string, initial: Fields) {
  const key = PREFIX + name;
  const [held, setHeld] = useState(() => ({ key, fields: readDraft(key, initial) }));
  const fields = held.key === key ? held.fields : readDraft(key, initial);
  const change = useCallback(
    (changed: Partial<Fields>) => {
      const next = { ...fields, ...changed };
      setHeld({ key, fields: next });
      sessionStorage.setItem(key, JSON.stringify(next));
    },
    [key, fields],
  );
  const forget = useCallback(() => {
    setHeld({ key, fields: initial });
    sessionStorage.removeItem(key);
  }, [key, initial]);
  return { fields, change, forget };
}
