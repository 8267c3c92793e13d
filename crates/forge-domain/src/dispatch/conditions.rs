//! Derives the reasons why a claimable task waits.

use crate::dispatch::blocker::{DispatchBlocker, ResourceShortage};
use crate::task::{TaskActivity, TaskSnapshot};
use crate::workflow::RoleName;
use crate::{AgentId, Assignee, ExhaustedBudget};

/// Conditions under which a claimable task waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimConditions {
    /// Role that a claim gives.
    pub role: RoleName,
    /// The project takes no claims by agents.
    pub project_paused: bool,
    /// The project has dispatch switched on.
    pub dispatch_on: bool,
    /// Dispatch is paused for the whole server.
    pub dispatch_paused: bool,
    /// The project has a repository.
    pub has_repository: bool,
    /// Keys of dependencies that have not landed.
    pub blocking: Vec<String>,
    /// Started tasks whose branches conflict with this one's, with the files, if the project holds conflicting tasks.
    pub conflicts: Vec<(String, Vec<String>)>,
    /// The exhausted budget, if there is one.
    pub exhausted_budget: Option<ExhaustedBudget>,
    /// Every registered agent.
    pub agents: Vec<AgentAvailability>,
    /// Number of executions under way in the project, and its limit.
    pub project: (u32, Option<u32>),
    /// Number of executions under way on this node, and its limit.
    pub node: (u32, Option<u32>),
    /// Shortages of the machine.
    pub shortages: Vec<ResourceShortage>,
    /// Position among the tasks of its project that wait only for an agent, from 1.
    pub position: u64,
}

/// The availability of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAvailability {
    pub id: AgentId,
    pub name: String,
    /// Roles that the agent accepts; empty means all roles.
    pub roles: Vec<RoleName>,
    /// Its program is on the server.
    pub has_program: bool,
    /// Whether the agent accepts no work.
    pub paused: bool,
    /// Seconds until its quota is available again.
    pub quota_seconds: Option<u64>,
    /// Its program is not signed in.
    pub signed_out: bool,
    /// Number of executions under way.
    pub running: u32,
    /// Maximum number of executions at the same time.
    pub max_concurrent: u32,
}

impl ClaimConditions {
    /// The reasons why the task waits. Reasons that a person can act on come first. Never empty.
    pub fn reasons(&self, task: &TaskSnapshot) -> Vec<DispatchBlocker> {
        let mut reasons = self.board_reasons();
        reasons.extend(self.task_reasons(task));
        reasons.extend(self.agent_reason(task));
        reasons.extend(self.capacity_reasons());
        reasons.extend(self.shortages.iter().cloned().map(DispatchBlocker::Shortage));
        if reasons.is_empty() {
            reasons.push(DispatchBlocker::Queued { place: self.position });
        }
        reasons
    }

    fn board_reasons(&self) -> Vec<DispatchBlocker> {
        let facts = [
            (self.project_paused, DispatchBlocker::ProjectPaused),
            (!self.dispatch_on, DispatchBlocker::DispatchOff),
            (self.dispatch_paused, DispatchBlocker::DispatchPaused),
            (!self.has_repository, DispatchBlocker::NoRepository),
        ];
        facts.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect()
    }

    fn task_reasons(&self, task: &TaskSnapshot) -> Vec<DispatchBlocker> {
        let mut reasons = Vec::new();
        if let Some(annotation) = &task.annotation {
            reasons.push(DispatchBlocker::NeedsAttention { trouble: annotation.kind });
        }
        if matches!(task.roles.get(&self.role), Some(Assignee::User { .. })) {
            reasons.push(DispatchBlocker::HeldByPerson { role: self.role.clone() });
        }
        if let Some(overspent) = self.exhausted_budget {
            reasons.push(DispatchBlocker::BudgetExhausted(overspent));
        }
        if !self.blocking.is_empty() {
            reasons.push(DispatchBlocker::Dependency { tasks: self.blocking.clone() });
        }
        for (task, files) in &self.conflicts {
            reasons
                .push(DispatchBlocker::ConflictHold { task: task.clone(), files: files.clone() });
        }
        if task.run.is_some() || matches!(task.activity, Some(TaskActivity::Stopping { .. })) {
            reasons.push(DispatchBlocker::Ending);
        }
        reasons
    }

    fn agent_reason(&self, task: &TaskSnapshot) -> Option<DispatchBlocker> {
        let holder = match task.roles.get(&self.role) {
            Some(Assignee::User { .. }) => return None,
            Some(Assignee::Agent { id }) => Some(*id),
            None => None,
        };
        let suits = |agent: &&AgentAvailability| match holder {
            Some(id) => agent.id == id,
            None => agent.roles.is_empty() || agent.roles.contains(&self.role),
        };
        let able: Vec<_> = self.agents.iter().filter(suits).collect();
        if able.is_empty() {
            return Some(DispatchBlocker::NoAgent { role: self.role.clone() });
        }
        let (declined, able): (Vec<_>, Vec<_>) = able
            .into_iter()
            .partition(|agent| holder.is_none() && task.declined_by.contains(&agent.id));
        if able.is_empty() {
            let agents = declined.iter().map(|agent| agent.name.clone()).collect();
            return Some(DispatchBlocker::HandedOff { agents });
        }
        let awake: Vec<_> = able.iter().copied().filter(|agent| !agent.paused).collect();
        if awake.is_empty() {
            let agents = able.iter().map(|agent| agent.name.clone()).collect();
            return Some(DispatchBlocker::AgentPaused { agents });
        }
        if awake.iter().all(|agent| !agent.has_program) {
            let agents = awake.iter().map(|agent| agent.name.clone()).collect();
            return Some(DispatchBlocker::ProgramMissing { agents });
        }
        let awake: Vec<_> = awake.into_iter().filter(|agent| agent.has_program).collect();
        let signed_in: Vec<_> = awake.iter().copied().filter(|agent| !agent.signed_out).collect();
        if signed_in.is_empty() {
            let agents = awake.iter().map(|agent| agent.name.clone()).collect();
            return Some(DispatchBlocker::NotSignedIn { agents });
        }
        let awake = signed_in;
        let waits = awake.iter().map(|agent| agent.quota_seconds).collect::<Option<Vec<_>>>();
        if let Some(seconds) = waits.and_then(|waits| waits.into_iter().min()) {
            let agents = awake.iter().map(|agent| agent.name.clone()).collect();
            return Some(DispatchBlocker::QuotaWait { agents, seconds });
        }
        let mut awake: Vec<_> =
            awake.into_iter().filter(|agent| agent.quota_seconds.is_none()).collect();
        // The agent that handed it off gets it back only if no other agent suits (T-20).
        let avoid = task.handed_off_by().filter(|_| holder.is_none());
        if awake.iter().any(|agent| Some(agent.id) != avoid) {
            awake.retain(|agent| Some(agent.id) != avoid);
        }
        let full = awake.iter().all(|agent| agent.running >= agent.max_concurrent);
        let agents = || awake.iter().map(|agent| agent.name.clone()).collect();
        full.then(|| DispatchBlocker::AgentAtCapacity { agents: agents() })
    }

    fn capacity_reasons(&self) -> Vec<DispatchBlocker> {
        let over = |(running, max): (u32, Option<u32>)| max.filter(|max| running >= *max);
        let (project, node) = (self.project.0, self.node.0);
        let mut reasons = Vec::new();
        if let Some(max) = over(self.project) {
            reasons.push(DispatchBlocker::ProjectAtCapacity { running: project, max });
        }
        if let Some(max) = over(self.node) {
            reasons.push(DispatchBlocker::NodeAtCapacity { running: node, max });
        }
        reasons
    }
}
