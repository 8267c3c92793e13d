import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface Labelled {
  label: string;
  /** What to write, for who does not know. */
  hint?: string | undefined;
  /** What is wrong with what was written. */
  problem?: string | undefined;
}

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

function Labelling({ label, hint, problem, render }: Labelled & { render: (described: Described) => ReactNode }) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {render({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {note === undefined ? null : (
        <small id={`${id}-note`} className={problem === undefined ? 'fine' : 'fine problem'}>
          {note}
        </small>
      )}
    </div>
  );
}

/** One line of text. */
export function TextField({ label, hint, problem, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelling
      label={label}
      hint={hint}
      problem={problem}
      render={(described) => <input type="text" {...rest} {...described} />}
    />
  );
}

/** Several lines of text. */
export function LongTextField({
  label,
  hint,
  problem,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelling
      label={label}
      hint={hint}
      problem={problem}
      render={(described) => <textarea rows={4} {...rest} {...described} />}
    />
  );
}

/** One of a few. */
export function SelectField({ label, hint, problem, ...rest }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelling
      label={label}
      hint={hint}
      problem={problem}
      render={(described) => <select {...rest} {...described} />}
    />
  );
}

/** Yes or no. */
export function CheckField({ label, ...rest }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input {...rest} type="checkbox" />
      {label}
    </label>
  );
}
