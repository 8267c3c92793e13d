import { Switch as Primitive } from 'radix-ui';

import styles from './Switch.module.css';

interface SwitchProps {
  label: string;
  isOn: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A setting that takes effect at once. */
export function Switch({ label, isOn, disabled = false, onChange }: SwitchProps) {
  return (
    <Primitive.Root
      className={styles.switch}
      aria-label={label}
      checked={isOn}
      disabled={disabled}
      onCheckedChange={onChange}
    >
      <Primitive.Thumb className={styles.thumb} />
    </Primitive.Root>
  );
}
