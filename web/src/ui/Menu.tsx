import { Check, ChevronRight } from 'lucide-react';
import { ContextMenu as ContextPrimitive, DropdownMenu as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

import { classNames } from './classNames';
import { Icon } from './Icon';
import { Kbd } from './Kbd';
import styles from './Menu.module.css';
import type { MenuAction, MenuEntry } from './menuEntries';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  label: string;
  align?: 'start' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A menu under a button. */
export function Menu({ trigger, entries, label, align = 'end', open, onOpenChange }: MenuProps) {
  const control = {
    ...(open === undefined ? {} : { open }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  return (
    <Primitive.Root modal={false} {...control}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.menu}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          // A menu inside a card must not count as a click on the card.
          onClick={(event) => event.stopPropagation()}
        >
          <Entries entries={entries} parts={Primitive} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ContextMenuProps {
  entries: readonly MenuEntry[];
  label: string;
  onOpenChange?: (open: boolean) => void;
  children: ReactElement;
}

/** A menu at the pointer, or with Shift F10 at the focus. */
export function ContextMenu({ entries, label, onOpenChange, children }: ContextMenuProps) {
  return (
    <ContextPrimitive.Root modal={false} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <ContextPrimitive.Trigger asChild>{children}</ContextPrimitive.Trigger>
      <ContextPrimitive.Portal>
        <ContextPrimitive.Content className={styles.menu} aria-label={label} collisionPadding={8}>
          <Entries entries={entries} parts={ContextPrimitive} />
        </ContextPrimitive.Content>
      </ContextPrimitive.Portal>
    </ContextPrimitive.Root>
  );
}

/** Radix has the same parts twice: for a menu under a button and for one at the pointer. */
type Parts = Pick<typeof Primitive, 'Item' | 'Separator' | 'Label' | 'Sub' | 'SubTrigger' | 'SubContent' | 'Portal'>;

function Entries({ entries, parts }: { entries: readonly MenuEntry[]; parts: Parts }): ReactNode {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'line':
        return <parts.Separator key={entry.id} className={styles.line} />;
      case 'heading':
        return (
          <parts.Label key={entry.id} className={styles.heading}>
            {entry.label}
          </parts.Label>
        );
      case 'submenu':
        return (
          <parts.Sub key={entry.id}>
            <parts.SubTrigger className={styles.entry}>
              <EntryIcon icon={entry.icon} />
              <span className={styles.label}>{entry.label}</span>
              <Icon icon={ChevronRight} size={14} />
            </parts.SubTrigger>
            <parts.Portal>
              <parts.SubContent className={styles.menu} sideOffset={4} collisionPadding={8}>
                <Entries entries={entry.entries} parts={parts} />
              </parts.SubContent>
            </parts.Portal>
          </parts.Sub>
        );
      default:
        return <ActionEntry key={entry.id} entry={entry} parts={parts} />;
    }
  });
}

function ActionEntry({ entry, parts }: { entry: MenuAction; parts: Parts }) {
  return (
    <parts.Item
      className={classNames(styles.entry, entry.isDanger === true && styles.danger)}
      disabled={entry.disabledBecause !== undefined}
      onSelect={entry.onSelect}
    >
      <EntryIcon icon={entry.icon} />
      <span className={styles.label}>
        {entry.label}
        {entry.disabledBecause === undefined ? null : <div className={styles.why}>{entry.disabledBecause}</div>}
      </span>
      {entry.isChecked === true ? <Icon icon={Check} size={14} /> : null}
      {entry.hotkey === undefined ? null : <Kbd keys={entry.hotkey} />}
    </parts.Item>
  );
}

function EntryIcon({ icon }: { icon: MenuAction['icon'] }) {
  return icon === undefined ? null : <Icon icon={icon} className={styles.icon} />;
}
