import { useState } from 'react';

import { Dialog } from '../../ui/Dialog';
import { Kbd } from '../../ui/Kbd';
import { currentHotkeys } from './hotkeyStore';
import styles from './KeyHelp.module.css';

const NAMES: Readonly<Record<string, string>> = {
  arrowdown: '↓',
  arrowup: '↑',
  arrowleft: '←',
  arrowright: '→',
  enter: '↵',
  escape: 'Esc',
  space: 'Space',
};

/** A binding as key caps show it: `ctrl+k` is `Ctrl K`. */
function shownKeys(keys: string): string {
  return keys
    .split(/[ +]/)
    .map((key) => NAMES[key] ?? key.charAt(0).toUpperCase() + key.slice(1))
    .join(' ');
}

/** Every key that acts on the present page. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  // The list as it was when the help opened: opening it must not change it.
  const [hotkeys] = useState(currentHotkeys);
  const groups = [...new Set(hotkeys.map(({ group }) => group))];
  return (
    <Dialog title="Keys" isWide onClose={onClose}>
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group}>
            <h3 className={styles.heading}>{group}</h3>
            {hotkeys
              .filter((hotkey) => hotkey.group === group)
              .map(({ keys, label }) => (
                <div key={keys} className={styles.line}>
                  {label}
                  <Kbd keys={shownKeys(keys)} />
                </div>
              ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
