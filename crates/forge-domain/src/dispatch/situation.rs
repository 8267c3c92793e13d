//! From what is known about a claimable task to why it waits.

use super::reason::{Lack, Reason};
use crate::task::{Activity, Snapshot};
use crate::workflow::RoleName;
use crate::{AgentId, Assignee, Overspent};

/// What stands around a task that could be claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// The role its claimer takes.
    pub role: RoleName,
    /// The project takes no claims by agents.
    pub project_paused: bool,
    /// The project gives its tasks out by itself.
    pub dispatches: bool,
    /// Nothing is given out at all.
    pub dispatch_paused: bool,
    /// There is something to work in.
    pub has_repository: bool,
    /// The dependencies that are not in yet.
    pub blocking: Vec<String>,
    /// The tasks that have begun and whose branches clash with its own, where it is to wait for them, and the files.
    pub clashing: Vec<(String, Vec<String>)>,
    /// The budget that is used up.
    pub overspent: Option<Overspent>,
    /// Every registered agent.
    pub agents: Vec<Contender>,
    /// The project's executions under way, and how many it may have.
    pub project: (u32, Option<u32>),
    /// This node's executions under way, and how many it may have.
    pub node: (u32, Option<u32>),
    /// What the machine lacks.
    pub lacks: Vec<Lack>,
    /// Its place among those of its project that only wait for an agent, from 1.
    pub place: u64,
}

/// An agent as a task that waits sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contender {
    /// Which.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// The roles it takes; none named means every one.
    pub roles: Vec<RoleName>,
    /// Takes no work.
    pub paused: bool,
    /// For how long its allowance is used up.
    pub quota_seconds: Option<u64>,
    /// Executions under way.
    pub running: u32,
    /// How many it may have.
    pub max_concurrent: u32,
}

impl Situation {
    /// Why the task waits: what a person can do something about first. Never empty.
    pub fn reasons(&self, task: &Snapshot) -> Vec<Reason> {
        let mut reasons = self.of_board();
        reasons.extend(self.of_task(task));
        reasons.extend(self.of_agents(task));
        reasons.extend(self.of_room());
        reasons.extend(self.lacks.iter().cloned().map(Reason::Machine));
        if reasons.is_empty() {
            reasons.push(Reason::NextInLine { place: self.place });
        }
        reasons
    }

    fn of_board(&self) -> Vec<Reason> {
        let facts = [
            (self.project_paused, Reason::ProjectPaused),
            (!self.dispatches, Reason::DispatchOff),
            (self.dispatch_paused, Reason::DispatchPaused),
            (!self.has_repository, Reason::NoRepository),
        ];
        facts.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
    }

    fn of_task(&self, task: &Snapshot) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if let Some(annotation) = &task.annotation {
            reasons.push(Reason::NeedsAttention { trouble: annotation.kind });
        }
        if matches!(task.roles.get(&self.role), Some(Assignee::User { .. })) {
            reasons.push(Reason::HeldByPerson { role: self.role.clone() });
        }
        if let Some(overspent) = self.overspent {
            reasons.push(Reason::BudgetExhausted(overspent));
        }
        if !self.blocking.is_empty() {
            reasons.push(Reason::Dependency { tasks: self.blocking.clone() });
        }
        for (task, files) in &self.clashing {
            reasons.push(Reason::ConflictHold { task: task.clone(), files: files.clone() });
        }
        if task.run.is_some() || matches!(task.activity, Some(Activity::Stopping { .. })) {
            reasons.push(Reason::Ending);
        }
        reasons
    }

    fn of_agents(&self, task: &Snapshot) -> Option<Reason> {
        let holder = match task.roles.get(&self.role) {
            Some(Assignee::User { .. }) => return None,
            Some(Assignee::Agent { id }) => Some(*id),
            None => None,
        };
        let suits = |agent: &&Contender| match holder {
            Some(id) => agent.id == id,
            None => agent.roles.is_empty() || agent.roles.contains(&self.role),
        };
        let able: Vec<_> = self.agents.iter().filter(suits).collect();
        if able.is_empty() {
            return Some(Reason::NoAgent { role: self.role.clone() });
        }
        let awake: Vec<_> = able.iter().copied().filter(|agent| !agent.paused).collect();
        if awake.is_empty() {
            let agents = able.iter().map(|agent| agent.name.clone()).collect();
            return Some(Reason::AgentPaused { agents });
        }
        let waits = awake.iter().map(|agent| agent.quota_seconds).collect::<Option<Vec<_>>>();
        if let Some(seconds) = waits.and_then(|waits| waits.into_iter().min()) {
            let agents = awake.iter().map(|agent| agent.name.clone()).collect();
            return Some(Reason::QuotaWait { agents, seconds });
        }
        let mut awake: Vec<_> =
            awake.into_iter().filter(|agent| agent.quota_seconds.is_none()).collect();
        // Who handed it off gets it back only where nobody else could take it (T-20).
        let avoid = task.handed_off_by().filter(|_| holder.is_none());
        if awake.iter().any(|agent| Some(agent.id) != avoid) {
            awake.retain(|agent| Some(agent.id) != avoid);
        }
        let full = awake.iter().all(|agent| agent.running >= agent.max_concurrent);
        let agents = || awake.iter().map(|agent| agent.name.clone()).collect();
        full.then(|| Reason::AgentAtCapacity { agents: agents() })
    }

    fn of_room(&self) -> Vec<Reason> {
        let over = |(running, max): (u32, Option<u32>)| max.filter(|max| running >= *max);
        let (project, node) = (self.project.0, self.node.0);
        let mut reasons = Vec::new();
        if let Some(max) = over(self.project) {
            reasons.push(Reason::ProjectAtCapacity { running: project, max });
        }
        if let Some(max) = over(self.node) {
            reasons.push(Reason::NodeAtCapacity { running: node, max });
        }
        reasons
    }
}
