import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { Button } from '../../ui/Button';
import { Dialog, DialogButtons } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { useDraft } from '../../ui/useDraft';
import { EMPTY_AGENT, type NewAgentProblems, newAgentRequest } from './newAgent';

/** Adds an agent that is any command. */
export function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const { fields, change, forget } = useDraft('new-agent', EMPTY_AGENT);
  const [problems, setProblems] = useState<NewAgentProblems>({});
  const create = useMutation({
    mutationFn: commands.createAgent,
    onSuccess: async () => {
      forget();
      await cache.invalidateQueries({ queryKey: keys.agents() });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const request = newAgentRequest(fields);
    setProblems(request.problems ?? {});
    if (request.problems === null) {
      create.mutate(request.agent);
    }
  };
  return (
    <Dialog title="Add an agent" body="Any command can be an agent. It runs in the task's worktree." onClose={onClose}>
      <form aria-label="Add an agent" onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField
          label="Name"
          value={fields.name}
          problem={problems.name}
          autoComplete="off"
          autoFocus
          onChange={({ target }) => change({ name: target.value })}
        />
        <TextField
          label="Command"
          value={fields.command}
          problem={problems.command}
          hint="The prompt comes on standard input and in the file $FORGE_PROMPT_FILE. No shell runs it; write sh -c '…' for one."
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => change({ command: target.value })}
        />
        <TextField
          label="Roles"
          hint="Separated by commas. Left empty, any."
          value={fields.roles}
          autoComplete="off"
          onChange={({ target }) => change({ roles: target.value })}
        />
        <TextField
          label="At once"
          inputMode="numeric"
          hint="How many tasks at the same time. 1 if left empty."
          value={fields.limit}
          problem={problems.limit}
          autoComplete="off"
          onChange={({ target }) => change({ limit: target.value })}
        />
        <FailureNotice failure={create.error} />
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Add agent
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
