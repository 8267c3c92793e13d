import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { SelectField } from '../../ui/Field';
import { showToast } from '../../ui/toastStore';

/** The agent that gets the tasks when this one's allowance is used up (E-9). */
export function Fallback({ agent, agents }: { agent: Agent; agents: readonly Agent[] }) {
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (fallback: string | null) => commands.changeAgentFallback(agent, fallback),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.agents() }),
  });
  const shown = change.isPending ? change.variables : agent.fallback;
  return (
    <SelectField
      label={`Fallback of ${agent.name}`}
      isLabelHidden
      value={shown ?? ''}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.value === '' ? null : target.value)}
    >
      <option value="">No fallback</option>
      {agents
        .filter(({ id }) => id !== agent.id)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </SelectField>
  );
}
