import { type FormEvent, useState } from 'react';

import type { NewToken } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { newTokenRequest } from './tokens';

interface NewTokenFormProps {
  busy: boolean;
  failure: Error | null;
  autoFocus: boolean;
  onSubmit: (token: NewToken) => void;
}

/** Asks what a new token is for. */
export function NewTokenForm({ busy, failure, autoFocus, onSubmit }: NewTokenFormProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const request = newTokenRequest(name);
    setProblem(request.problem ?? undefined);
    if (request.problem === null) {
      onSubmit(request.token);
    }
  };
  return (
    <Panel>
      <form aria-label="Make a token" onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField
          label="What is it for?"
          hint="Such as the machine that will use it."
          value={name}
          problem={problem}
          autoComplete="off"
          autoFocus={autoFocus}
          onChange={({ target }) => setName(target.value)}
        />
        <FailureNotice failure={failure} />
        <div>
          <Button look="primary" type="submit" busy={busy}>
            Make a token
          </Button>
        </div>
      </form>
    </Panel>
  );
}
