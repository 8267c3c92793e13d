import { useRef, useState } from 'react';

import type { CreatedToken } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Panel } from '../../ui/Panel';
import styles from './Tokens.module.css';
import { loginLine } from './tokens';

type Copying = 'not-yet' | 'copied' | 'selected';

const WORDS: Readonly<Record<Copying, string | null>> = {
  'not-yet': null,
  copied: 'Copied.',
  selected: 'Selected: copy it with the keyboard.',
};

/** A new token's secret. The server does not keep it and cannot show it again. */
export function Secret({ created, onDone }: { created: CreatedToken; onDone: () => void }) {
  const [copying, setCopying] = useState<Copying>('not-yet');
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(created.secret);
      setCopying('copied');
    } catch {
      // Browsers keep the clipboard from pages without HTTPS; selected, the secret is one key away from it.
      field.current?.select();
      setCopying('selected');
    }
  };
  return (
    <section aria-label="New token">
      <Panel>
        <TextField
          ref={field}
          label={`Token for ${created.token.name}`}
          hint="Copy it now: it is shown only this once."
          value={created.secret}
          onFocus={(event) => event.currentTarget.select()}
          autoComplete="off"
          spellCheck={false}
          readOnly
        />
        <div className={styles.row}>
          <Button look="primary" onClick={() => void copy()} autoFocus>
            Copy
          </Button>
          <Button onClick={onDone}>I have it</Button>
          <span role="status">{WORDS[copying]}</span>
        </div>
        <p>
          Then type this in a terminal and paste the token when it asks:{' '}
          <code>{loginLine(window.location.origin)}</code>
        </p>
      </Panel>
    </section>
  );
}
