import { useRef, useState } from 'react';

import type { CreatedToken } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { loginLine } from './tokens';

type Copying = 'not yet' | 'copied' | 'by hand';

/** A new token's secret, which nobody can show again. */
export function Secret({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  const [copying, setCopying] = useState<Copying>('not yet');
  const panel = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(created.secret);
      setCopying('copied');
    } catch {
      // Browsers keep the clipboard from pages without HTTPS; selected, the secret is one key away from it.
      panel.current?.querySelector('input')?.select();
      setCopying('by hand');
    }
  };
  return (
    <section ref={panel} className="panel" aria-label="New token">
      <TextField
        label={`Token for ${created.token.name}`}
        hint="Copy it now: it is shown only this once."
        value={created.secret}
        onFocus={(event) => event.currentTarget.select()}
        autoComplete="off"
        spellCheck={false}
        readOnly
      />
      <div className="row">
        <Button primary onClick={() => void copy()} autoFocus>
          Copy
        </Button>
        <Button onClick={onDone}>I have it</Button>
        <span role="status">
          {copying === 'copied' ? 'Copied.' : copying === 'by hand' ? 'Selected: copy it with the keyboard.' : null}
        </span>
      </div>
      <p>
        Then type this in a terminal and paste the token when it asks: <code>{loginLine(window.location.origin)}</code>
      </p>
    </section>
  );
}
