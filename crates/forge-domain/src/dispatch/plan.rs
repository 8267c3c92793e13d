//! The dispatch plan. Between projects, the one with the fewest executions goes first, so that a busy board cannot
//! starve another. Within a project, priority decides, then age.

use crate::ProjectId;
use crate::dispatch::input::{
    DispatchAgent, DispatchCandidate, DispatchInput, ProjectShare, TaskAssignment,
};
use std::collections::{BTreeMap, VecDeque};

/// Assigns waiting tasks to agents, in the order in which they are to be claimed. No task is left over that an agent
/// could take.
pub fn plan(market: &DispatchInput) -> Vec<TaskAssignment> {
    let mut workers = market.agents.clone();
    let mut lines = project_queues(market);
    let mut assignments = Vec::new();
    for _ in 0..market.capacity {
        let Some(assignment) = next_assignment(&mut lines, &mut workers) else { break };
        assignments.push(assignment);
    }
    assignments
}

/// The waiting tasks of one project.
struct ProjectQueue<'m> {
    share: ProjectShare,
    /// Number of assignments in this plan; breaks ties between projects.
    assigned: u32,
    waiting: VecDeque<&'m DispatchCandidate>,
}

impl ProjectQueue<'_> {
    fn has_room(&self) -> bool {
        self.share.has_room()
    }

    /// Sort key of the project; the lowest goes first. Priorities of different projects are compared last, so that a
    /// project gains nothing by making every task urgent.
    fn sort_key(&self) -> impl Ord + use<> {
        let served = self.share.served_at.map(|at| at.millis());
        let head = self.waiting.front().map(|head| (head.urgency, head.number));
        (self.share.running, self.assigned, served, head)
    }
}

fn project_queues(market: &DispatchInput) -> BTreeMap<ProjectId, ProjectQueue<'_>> {
    let mut lines: BTreeMap<_, _> = market
        .projects
        .iter()
        .map(|(id, share)| {
            (*id, ProjectQueue { share: *share, assigned: 0, waiting: VecDeque::new() })
        })
        .collect();
    for candidate in &market.candidates {
        if let Some(line) = lines.get_mut(&candidate.project) {
            line.waiting.push_back(candidate);
        }
    }
    for line in lines.values_mut() {
        line.waiting.make_contiguous().sort_by_key(|waiting| (waiting.urgency, waiting.number));
    }
    lines
}

fn next_assignment(
    lines: &mut BTreeMap<ProjectId, ProjectQueue<'_>>,
    workers: &mut [DispatchAgent],
) -> Option<TaskAssignment> {
    loop {
        // Agents only get busier in this loop, so a task without an agent now gets none in this plan.
        lines.retain(|_, line| line.has_room() && !line.waiting.is_empty());
        let (_, line) = lines.iter_mut().min_by_key(|(_, line)| line.sort_key())?;
        while let Some(candidate) = line.waiting.pop_front() {
            if let Some(worker) = best_agent(workers, candidate) {
                worker.running += 1;
                line.share.running += 1;
                line.assigned += 1;
                return Some(TaskAssignment { task: candidate.task, agent: worker.id });
            }
        }
    }
}

/// The least busy suitable agent; an agent registered for this role comes before one that accepts every role. The agent
/// that handed the task off gets it back only if no other agent suits (T-20): a busy agent will be free later.
fn best_agent<'w>(
    workers: &'w mut [DispatchAgent],
    candidate: &DispatchCandidate,
) -> Option<&'w mut DispatchAgent> {
    let avoids = |worker: &DispatchAgent| candidate.handed_off_by == Some(worker.id);
    let others = workers.iter().any(|worker| worker.can_take(candidate) && !avoids(worker));
    workers
        .iter_mut()
        .filter(|worker| worker.has_room() && worker.can_take(candidate))
        .filter(|worker| !(others && avoids(worker)))
        .min_by_key(|worker| (worker.roles.is_empty(), worker.running))
}
