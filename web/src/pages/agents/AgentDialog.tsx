import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { Dialog } from '../../ui/Dialog';
import { showToast } from '../../ui/toastStore';
import { useDraft } from '../../ui/useDraft';
import { AgentForm } from './AgentForm';
import { type AgentFields, agentFields, EMPTY_AGENT, readAgentFields } from './agentForm';
import type { AgentKind } from './agentKinds';
import { freeName } from './programs';

/** An agent that is added, perhaps for a program that was found, or one that is changed. */
export type AgentToEdit = { kind: 'new'; program?: AgentKind } | { kind: 'known'; agent: Agent };

interface AgentDialogProps {
  edited: AgentToEdit;
  agents: readonly Agent[];
  onClose: () => void;
}

/** Adds an agent of any kind, or changes one. */
export function AgentDialog({ edited, agents, onClose }: AgentDialogProps) {
  const cache = useQueryClient();
  const known = edited.kind === 'known' ? edited.agent : null;
  const begin: AgentFields =
    edited.kind === 'known'
      ? agentFields(edited.agent)
      : edited.program === undefined
        ? EMPTY_AGENT
        : { ...EMPTY_AGENT, kind: edited.program, name: freeName(edited.program, agents) };
  const draft = useDraft(
    known === null ? `new-agent.${edited.kind === 'new' ? (edited.program ?? '') : ''}` : `agent.${known.id}`,
    begin,
  );
  const save = useMutation({
    mutationFn: (fields: AgentFields) => {
      const read = readAgentFields(fields, known?.executor);
      if (read.problems !== null) {
        throw new Error('The form has problems.');
      }
      return known === null ? commands.createAgent(read.agent) : commands.changeAgent(known, read.agent);
    },
    onSuccess: async ({ name }) => {
      draft.forget();
      showToast({ text: known === null ? `${name} added.` : `${name} saved.`, tone: 'info' });
      await cache.invalidateQueries({ queryKey: keys.agents() });
      onClose();
    },
  });
  return (
    <Dialog
      title={known === null ? 'Add an agent' : `Edit ${known.name}`}
      body={
        known === null
          ? "An agent is a program on the server. It runs in a task's own worktree."
          : 'Executions that run now go on unchanged.'
      }
      isWide
      onClose={onClose}
    >
      <AgentForm
        label={known === null ? 'Add an agent' : `Edit ${known.name}`}
        fields={draft.fields}
        change={draft.change}
        known={known}
        agents={agents}
        busy={save.isPending}
        failure={save.error}
        onClose={onClose}
        onSubmit={() => save.mutate(draft.fields)}
      />
    </Dialog>
  );
}
