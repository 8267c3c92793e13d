import { useEffect, useRef } from 'react';

import { type Hotkey, registerHotkeys } from './hotkeyStore';

/** Makes keys act while the component is shown. The set of keys must stay the same from render to render. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  const latest = useRef(hotkeys);
  useEffect(() => {
    latest.current = hotkeys;
  });
  const names = hotkeys.map(({ keys }) => keys).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the set; `latest` holds the rest
  useEffect(
    () =>
      registerHotkeys(
        latest.current.map(({ keys, label, group }, index) => ({
          keys,
          label,
          group,
          run: () => latest.current[index]?.run(),
        })),
      ),
    [names],
  );
}
