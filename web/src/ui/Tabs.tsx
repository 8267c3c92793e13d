import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Tab<Name extends string> {
  name: Name;
  label: string;
}

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** One of several views of the same thing; arrow keys go from one to the next. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined) {
      return;
    }
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.name === current);
    const next = (at + by + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab !== undefined) {
      onChange(tab.name);
      list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    }
  };
  return (
    <section className="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={step}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === current ? 0 : -1}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} tabIndex={0}>
        {children}
      </div>
    </section>
  );
}
