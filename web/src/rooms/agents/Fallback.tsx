import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { SelectField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';

/** Who takes over when the agent's allowance is used up (E-9). */
export function Fallback({ agent, agents }: { agent: Agent; agents: readonly Agent[] }) {
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (fallback: string | null) => commands.changeAgentFallback(agent, fallback),
    // Also after a refusal: it means that what is shown is old.
    onSettled: () => cache.invalidateQueries({ queryKey: keys.agents() }),
  });
  const shown = change.isPending ? change.variables : agent.fallback;
  return (
    <div className="fallback">
      <SelectField
        label={`Takes over for ${agent.name}`}
        value={shown ?? ''}
        disabled={change.isPending}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value === '' ? null : currentTarget.value)}
      >
        <option value="">nobody</option>
        {agents
          .filter(({ id }) => id !== agent.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
      <FailureNotice failure={change.error} />
    </div>
  );
}
