//! Hands a task off to another holder (T-20): the work stays in the workspace, and a note is added.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{
    AnnotationType, ExecutionPurpose, HandoffNote, TaskActivity, TaskExecution, Workspace,
};
use crate::workflow::{RoleName, StateBehaviour};
use crate::{Actor, AgentId, CommentId, Refusal, RegisteredAgent, TaskEvent};

const LONGEST_NOTE: usize = 100_000;

impl DecisionBuilder<'_> {
    pub(crate) fn hand_off(&mut self, message: &str) -> Result<(), Refusal> {
        self.check_handoff()?;
        let problem = if message.trim().is_empty() {
            Some("a handoff needs a note: say what was done and what stands in the way")
        } else if message.len() > LONGEST_NOTE {
            Some("a handoff note has at most 100,000 bytes; commit the rest as a file")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(Refusal::InvalidField { field: "message", problem: problem.to_owned() });
        }
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(TaskEvent::TaskUnpassed);
        }
        self.record_handoff(message);
        if self.task.turn().is_some() && !self.actor().is_person() {
            // Dispatch ignores ordered turns, so the parent would start it again with the same agent.
            return self.park_declined("its agent handed the ordered turn off");
        }
        let queued = matches!(self.state()?.behaviour, StateBehaviour::Queue { .. });
        match self.workflow.claim_queue() {
            Some(pool) if !queued => self.enter_state(&pool, false, Some("handed off")),
            _ => Ok(()),
        }
    }

    /// Parks a task that dispatch cannot assign, because every agent with its role handed it off in this visit. Does
    /// nothing if that is no longer true.
    pub(crate) fn park_handed_off(&mut self) -> Result<(), Refusal> {
        let Some(path) = self.workflow.claim_path(self.state()?, false) else { return Ok(()) };
        let task = &self.task;
        let is_dispatched = self.facts.dispatch.is_some_and(|dispatch| dispatch.is_on);
        let is_held = task.roles.contains_key(&path.role) || task.annotation.is_some();
        let can_take = |agent: &RegisteredAgent| agent.can_take(&path.role, &task.declined_by);
        let waits = task.archived_at.is_none()
            && self.has_no_ending_execution()
            && !task.declined_by.is_empty();
        if !is_dispatched || is_held || !waits || self.facts.registered.iter().any(can_take) {
            return Ok(());
        }
        let names = task.declined_by.iter().map(|agent| self.agent_name(*agent));
        let names: Vec<_> = names.collect();
        let message = format!(
            "{} handed it off, and no other agent takes the role \"{}\"",
            names.join(", "),
            path.role
        );
        self.park_declined(&message)
    }

    fn park_declined(&mut self, cause: &str) -> Result<(), Refusal> {
        let message = format!(
            "{cause}; read the handoff notes, then change the task and move it back to the queue, or give the role \
             to another agent"
        );
        let notes = self.task.handoffs.iter().map(|handoff| {
            let agent = handoff.from.and_then(|from| from.agent());
            serde_json::json!({
                "agent_id": agent,
                "agent": agent.map(|agent| self.agent_name(agent)),
                "execution_id": handoff.execution,
                "message": handoff.message,
            })
        });
        let details = serde_json::json!({ "notes": notes.collect::<Vec<_>>() });
        self.park(AnnotationType::HandedOff, &message, details)
    }

    /// Name of an agent; its id if it is no longer registered.
    fn agent_name(&self, agent: AgentId) -> String {
        let found = self.facts.registered.iter().find(|found| found.id == agent);
        found.map_or_else(|| agent.to_string(), |found| found.name.clone())
    }

    /// Checks that the actor can hand the task off.
    pub(crate) fn check_handoff(&self) -> Result<(), Refusal> {
        let key = self.task.key();
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        if let Actor::Agent { execution, .. } = self.actor() {
            let own = |run: &TaskExecution| {
                run.execution == *execution && run.purpose == ExecutionPurpose::Work
            };
            let overruled = matches!(self.task.activity, Some(TaskActivity::Stopping { .. }));
            // P-3: an agent can hand off only its own work, and not after it was asked to stop.
            if overruled || !self.task.run.as_ref().is_some_and(own) {
                return Err(Refusal::PeopleOnly("hand off the work of another agent"));
            }
        }
        if self.task.activity == Some(TaskActivity::Landing) {
            return Err(Refusal::Landing { key });
        }
        if self.workflow.claim_queue().is_none()
            || (self.released().is_empty() && self.workspace().is_none())
        {
            return Err(Refusal::NothingToHandOff { key });
        }
        Ok(())
    }

    fn record_handoff(&mut self, message: &str) {
        let released = self.released();
        let work = self.workspace().cloned();
        let carrier = self.workflow.claim_role();
        let handoff = HandoffNote {
            by: self.actor().clone(),
            from: carrier.and_then(|role| self.task.roles.get(&role).copied()),
            execution: self.task.last_run.as_ref().map(|run| run.execution),
            branch: work.as_ref().map(|at| at.branch.clone()).filter(|name| !name.is_empty()),
            worktree: work.map(|at| at.path),
            message: message.trim().to_owned(),
            at: self.now(),
        };
        let comment = CommentId::new(self.derive_id());
        let body = format!("**Handoff**\n\n{}", handoff.message);
        self.emit(TaskEvent::TaskHandedOff { handoff: Box::new(handoff), released });
        self.emit(TaskEvent::CommentCreated { comment, parent: None, body });
    }

    /// Roles that the handoff releases: the claim role and the role of the current execution.
    fn released(&self) -> Vec<RoleName> {
        let at_work = self.task.run.as_ref().filter(|run| run.purpose == ExecutionPurpose::Work);
        let mut roles: Vec<_> = self
            .workflow
            .claim_role()
            .into_iter()
            .chain(at_work.map(|run| run.role.clone()))
            .filter(|role| self.task.roles.contains_key(role))
            .collect();
        roles.dedup();
        roles
    }

    fn workspace(&self) -> Option<&Workspace> {
        self.task.workspace.as_ref()
    }
}
