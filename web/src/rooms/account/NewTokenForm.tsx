import { type FormEvent, useState } from 'react';

import type { NewToken } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { newTokenRequest } from './tokens';

interface NewTokenFormProps {
  busy: boolean;
  failure: Error | null;
  autoFocus: boolean;
  onSubmit: (token: NewToken) => void;
}

/** Asks what a new token is for. */
export function NewTokenForm({ busy, failure, autoFocus, onSubmit }: NewTokenFormProps) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const request = newTokenRequest(String(new FormData(event.currentTarget).get('name') ?? ''));
    setProblem(request.problem ?? undefined);
    if (request.problem === null) {
      onSubmit(request.token);
    }
  };
  return (
    <form className="panel" aria-label="Make a token" onSubmit={submit} noValidate>
      <TextField
        label="What is it for?"
        name="name"
        hint="Such as the machine that will use it."
        problem={problem}
        autoComplete="off"
        autoFocus={autoFocus}
        required
      />
      <FailureNotice failure={failure} />
      <Button primary type="submit" busy={busy}>
        Make a token
      </Button>
    </form>
  );
}
