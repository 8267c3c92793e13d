import type { ButtonHTMLAttributes } from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** The one thing this place is for. */
  primary?: boolean;
  /** Not what this place is for. */
  quiet?: boolean;
  /** What it started has not ended. */
  busy?: boolean;
};

/** A button that cannot be pressed twice for one thing. */
export function Button({ primary = false, quiet = false, busy = false, className, disabled, ...rest }: ButtonProps) {
  const look = primary ? 'button primary' : quiet ? 'button quiet' : 'button';
  return (
    <button
      type="button"
      {...rest}
      className={className === undefined ? look : `${look} ${className}`}
      disabled={disabled === true || busy}
      aria-busy={busy}
    />
  );
}
