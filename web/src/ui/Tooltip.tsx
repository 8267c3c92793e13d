import { Tooltip as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

import { Kbd } from './Kbd';
import styles from './Tooltip.module.css';

interface TooltipProps {
  text: ReactNode;
  hotkey?: string | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that takes the focus and pointer events. */
  children: ReactElement;
}

/** A short explanation on hover and on focus. */
export function Tooltip({ text, hotkey, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className={styles.tooltip} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {hotkey === undefined ? null : <Kbd keys={hotkey} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Holds the delay that all tooltips of the page share. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={500} skipDelayDuration={200} disableHoverableContent>
      {children}
    </Primitive.Provider>
  );
}
