import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';

import { classNames } from './classNames';
import styles from './Field.module.css';

interface FieldLabel {
  label: string;
  /** Leaves the label to screen readers, where the place says what the field is. */
  isLabelHidden?: boolean | undefined;
  /** What to write. */
  hint?: string | undefined;
  /** What is wrong with the text. */
  problem?: string | undefined;
}

interface ControlAttributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldFrameProps extends FieldLabel {
  render: (control: ControlAttributes) => ReactNode;
}

function FieldFrame({ label, isLabelHidden = false, hint, problem, render }: FieldFrameProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {render({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {note === undefined ? null : (
        <small id={`${id}-note`} className={classNames(styles.note, problem !== undefined && styles.problem)}>
          {note}
        </small>
      )}
    </div>
  );
}

/** One line of text. */
export function TextField({
  label,
  isLabelHidden,
  hint,
  problem,
  ...rest
}: FieldLabel & ComponentPropsWithRef<'input'>) {
  return (
    <FieldFrame
      {...{ label, isLabelHidden, hint, problem }}
      render={(control) => <input type="text" {...rest} {...control} className={styles.input} />}
    />
  );
}

/** Several lines of text. */
export function TextAreaField({
  label,
  isLabelHidden,
  hint,
  problem,
  ...rest
}: FieldLabel & ComponentPropsWithRef<'textarea'>) {
  return (
    <FieldFrame
      {...{ label, isLabelHidden, hint, problem }}
      render={(control) => (
        <textarea rows={4} {...rest} {...control} className={classNames(styles.input, styles.area)} />
      )}
    />
  );
}

/** One of a few, by the browser's own list. */
export function SelectField({
  label,
  isLabelHidden,
  hint,
  problem,
  ...rest
}: FieldLabel & ComponentPropsWithRef<'select'>) {
  return (
    <FieldFrame
      {...{ label, isLabelHidden, hint, problem }}
      render={(control) => <select {...rest} {...control} className={classNames(styles.input, styles.select)} />}
    />
  );
}
