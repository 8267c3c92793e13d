import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';

import { Icon } from '../../ui/Icon';
import { Kbd } from '../../ui/Kbd';
import { ModalDialog } from '../../ui/ModalDialog';
import styles from './CommandPalette.module.css';
import { type PaletteEntry, usePageCommands } from './usePageCommands';
import { useTaskSearch } from './useTaskSearch';

const TITLE_ID = 'palette-title';

/** Finds pages, actions and tasks by typing. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const commands = usePageCommands();
  const tasks = useTaskSearch(typed);
  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  return (
    <ModalDialog className={styles.box} labelledBy={TITLE_ID} onClose={onClose}>
      <h2 id={TITLE_ID} className="visually-hidden">
        Command palette
      </h2>
      <Command label="Command palette" loop>
        <Command.Input value={typed} onValueChange={setTyped} placeholder="Search tasks, pages and actions" autoFocus />
        <Command.List className={styles.list}>
          <Command.Empty className={styles.empty}>Nothing matches. Try the key of a task, such as T-12.</Command.Empty>
          {tasks.length === 0 ? null : (
            <Command.Group heading="Tasks">
              {tasks.map((entry) => (
                // The server matched it already, also by its description.
                <Command.Item
                  key={entry.id}
                  value={`${entry.id} ${typed}`}
                  className={styles.item}
                  onSelect={() => run(entry)}
                >
                  <EntryLine entry={entry} icon={entry.icon} />
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {commands.map(({ heading, entries }) => (
            <Command.Group key={heading} heading={heading}>
              {entries.map((entry) => (
                <Command.Item
                  key={entry.id}
                  value={`${entry.label} ${entry.id}`}
                  className={styles.item}
                  onSelect={() => run(entry)}
                >
                  <EntryLine entry={entry} icon={entry.icon} />
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </ModalDialog>
  );
}

function EntryLine({ entry, icon }: { entry: PaletteEntry; icon: LucideIcon }) {
  return (
    <>
      <Icon icon={icon} />
      {entry.key === undefined ? null : <span className={styles.key}>{entry.key}</span>}
      <span className={styles.label}>{entry.label}</span>
      {entry.hotkey === undefined ? null : <Kbd keys={entry.hotkey} />}
    </>
  );
}
