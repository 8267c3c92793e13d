import type { Agent, AgentFinding, AgentsCheck } from '../../api/types';
import type { Meaning } from '../../task/meanings';
import { sentence } from '../../task/sentence';

/** What an agent does now, in two lines. */
export interface AgentState {
  meaning: Meaning;
  words: string;
  detail: string | null;
}

/** The findings about one agent, out of the check of all. */
export interface AgentFindings {
  running: readonly AgentFinding[];
  /** Without output for too long. */
  stuck: readonly AgentFinding[];
  failed: readonly AgentFinding[];
}

export function findingsOf(check: AgentsCheck | undefined, agent: string): AgentFindings {
  const own = (list: readonly AgentFinding[] | undefined) => list?.filter(({ agent_id }) => agent_id === agent) ?? [];
  return { running: own(check?.running), stuck: own(check?.stuck), failed: own(check?.failed) };
}

/** What holds the agent, else what it works on. */
export function agentState(agent: Pick<Agent, 'waiting' | 'paused'>, found: AgentFindings): AgentState {
  if (agent.waiting !== null) {
    return agent.waiting.reason === 'login'
      ? { meaning: 'needs-you', words: 'Signed out', detail: sentence(agent.waiting.message) }
      : { meaning: 'held', words: 'Rate limited', detail: sentence(agent.waiting.message) };
  }
  const busy = [...found.stuck, ...found.running].filter(
    (finding, place, all) => all.findIndex(({ task_id }) => task_id === finding.task_id) === place,
  );
  const [first] = busy;
  if (first !== undefined) {
    const more = busy.length > 1 ? `, +${busy.length - 1} more` : '';
    return {
      meaning: 'working',
      words: sentence(first.evidence),
      detail: `${first.key} ${first.title}${more}`,
    };
  }
  return agent.paused
    ? { meaning: 'held', words: 'Paused', detail: null }
    : { meaning: 'queued', words: 'Idle', detail: null };
}
