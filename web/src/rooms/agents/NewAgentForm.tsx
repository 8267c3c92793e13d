import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { type NewAgentProblems, newAgentRequest } from './newAgent';

/** Adds an agent that is any command. */
export function NewAgentForm() {
  const cache = useQueryClient();
  const [problems, setProblems] = useState<NewAgentProblems>({});
  const create = useMutation({
    mutationFn: commands.createAgent,
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.agents() }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const read = (name: string) => String(data.get(name) ?? '');
    const request = newAgentRequest({
      name: read('name'),
      command: read('command'),
      roles: read('roles'),
      limit: read('limit'),
    });
    setProblems(request.problems ?? {});
    if (request.problems === null) {
      create.mutate(request.agent, { onSuccess: () => form.reset() });
    }
  };
  return (
    <form className="panel" aria-label="Add a shell agent" onSubmit={submit} noValidate>
      <TextField label="Name" name="name" problem={problems.name} autoComplete="off" required />
      <TextField
        label="Command"
        name="command"
        problem={problems.command}
        hint="The prompt comes on standard input and in the file $FORGE_PROMPT_FILE. No shell runs it; write sh -c '…' for one."
        autoComplete="off"
        spellCheck={false}
        required
      />
      <div className="row">
        <TextField label="Roles" name="roles" hint="Separated by commas; left empty, any." autoComplete="off" />
        <TextField
          label="At once"
          name="limit"
          inputMode="numeric"
          hint="1 if left empty."
          problem={problems.limit}
          autoComplete="off"
        />
      </div>
      <FailureNotice failure={create.error} />
      <Button primary type="submit" busy={create.isPending}>
        Add agent
      </Button>
    </form>
  );
}
