import type { LucideIcon } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';

import { Icon } from './Icon';
import styles from './Segmented.module.css';

export interface SegmentedOption<Value extends string> {
  value: Value;
  label: string;
  icon?: LucideIcon;
}

interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly SegmentedOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few views, all visible. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option !== undefined) {
      onChange(option.value);
    }
  };
  return (
    <ToggleGroup.Root type="single" className={styles.group} aria-label={label} value={value} onValueChange={choose}>
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className={styles.option}>
          {option.icon === undefined ? null : <Icon icon={option.icon} size={14} />}
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
