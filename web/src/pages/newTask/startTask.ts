import { commands } from '../../api/commands';
import type { Task, WorkflowView } from '../../api/types';

/** The state from which a task can be claimed: its own, or one that it may be moved to first. */
export function claimableState(workflow: Pick<WorkflowView, 'states'>, status: string): string | null {
  const state = workflow.states.find(({ name }) => name === status);
  if (state === undefined) {
    return null;
  }
  const isClaimable = (name: string) => workflow.states.some((other) => other.name === name && other.claimable);
  return state.claimable ? state.name : (state.targets.manual.find(isClaimable) ?? null);
}

/** Brings a new task to where agents may claim it and starts one on it. */
export async function startTask(workflow: WorkflowView, task: Task, agent: string): Promise<void> {
  const ready = claimableState(workflow, task.status);
  if (ready === null) {
    throw new Error(`${task.key} was created. Its workflow has no way to start it from ${task.status}.`);
  }
  if (ready !== task.status) {
    await commands.moveTask(task.id, ready, task.version);
  }
  await commands.claimTask(task.id, agent);
}
