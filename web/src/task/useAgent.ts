import { useQuery } from '@tanstack/react-query';

import { agentQuery, agentsQuery } from '../api/queries';
import type { Agent } from '../api/types';

/** An agent that the history names. The list does not contain removed agents, so such a one is asked for by itself. */
export function useAgent(id: string | null): Agent | undefined {
  const agents = useQuery(agentsQuery());
  const listed = agents.data?.find((agent) => agent.id === id);
  const isMissing = id !== null && agents.data !== undefined && listed === undefined;
  const removed = useQuery({ ...agentQuery(id ?? ''), enabled: isMissing });
  return listed ?? removed.data;
}
