import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { SHORTEST_PASSWORD } from '../welcome/firstSignIn';

/** Sets the password of the next sign-in. */
export function ChangePassword() {
  const [problem, setProblem] = useState<string>();
  const change = useMutation({
    mutationFn: ({ next, present }: { next: string; present: string }) =>
      commands.changePassword(next, present === '' ? null : present),
    // A password stays in memory no longer than its form.
    gcTime: 0,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const next = String(data.get('next') ?? '');
    if ([...next].length < SHORTEST_PASSWORD) {
      setProblem(`Write at least ${SHORTEST_PASSWORD} characters.`);
      return;
    }
    setProblem(undefined);
    change.mutate({ next, present: String(data.get('present') ?? '') }, { onSuccess: () => form.reset() });
  };
  return (
    <Panel>
      <form aria-label="Change password" onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField
          label="Present password"
          name="present"
          type="password"
          hint="Left empty if you have none."
          autoComplete="current-password"
        />
        <TextField label="New password" name="next" type="password" problem={problem} autoComplete="new-password" />
        <FailureNotice failure={change.error} />
        <div>
          <Button type="submit" busy={change.isPending}>
            Change password
          </Button>{' '}
          <span role="status">{change.isSuccess ? 'Saved' : ''}</span>
        </div>
      </form>
    </Panel>
  );
}
