//! Letting go of a task for somebody else (T-20): the work stays where it is, the note goes with it.

use super::draft::Draft;
use crate::task::{Activity, Handoff, Purpose, Run, Workspace};
use crate::workflow::{Behaviour, RoleName};
use crate::{Actor, CommentId, Event, Refusal};

const LONGEST_NOTE: usize = 100_000;

impl Draft<'_> {
    pub(super) fn hand_off(&mut self, message: &str) -> Result<(), Refusal> {
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
            self.overtake_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(Event::TaskUnpassed);
        }
        self.note_handoff(message);
        let queued = matches!(self.state()?.behaviour, Behaviour::Queue { .. });
        match self.workflow.pool() {
            Some(pool) if !queued => self.arrive(&pool, false, Some("handed off")),
            _ => Ok(()),
        }
    }

    /// Whether there is anything to let go of, by this actor.
    pub(super) fn check_handoff(&self) -> Result<(), Refusal> {
        let key = self.task.key();
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        if let Actor::Agent { execution, .. } = self.actor() {
            let own = |run: &Run| run.execution == *execution && run.purpose == Purpose::Work;
            let overruled = matches!(self.task.activity, Some(Activity::Stopping { .. }));
            // P-3: an agent speaks for its own work only, and not after it was told to stop.
            if overruled || !self.task.run.as_ref().is_some_and(own) {
                return Err(Refusal::PeopleOnly("hand off what somebody else works on"));
            }
        }
        if self.task.activity == Some(Activity::Landing) {
            return Err(Refusal::Landing { key });
        }
        if self.workflow.pool().is_none() || (self.released().is_empty() && self.work().is_none()) {
            return Err(Refusal::NothingToHandOff { key });
        }
        Ok(())
    }

    fn note_handoff(&mut self, message: &str) {
        let released = self.released();
        let work = self.work().cloned();
        let carrier = self.workflow.claim_role();
        let handoff = Handoff {
            by: self.actor().clone(),
            from: carrier.and_then(|role| self.task.roles.get(&role).copied()),
            execution: self.task.last_run.as_ref().map(|run| run.execution),
            branch: work.as_ref().map(|at| at.branch.clone()).filter(|name| !name.is_empty()),
            worktree: work.map(|at| at.path),
            message: message.trim().to_owned(),
            at: self.now(),
        };
        let comment = CommentId::new(self.fresh());
        let body = format!("**Handoff**\n\n{}", handoff.message);
        self.emit(Event::TaskHandedOff { handoff: Box::new(handoff), released });
        self.emit(Event::CommentCreated { comment, parent: None, body });
    }

    /// The roles that become free: the one that carries the task, and the one of who works right now.
    fn released(&self) -> Vec<RoleName> {
        let at_work = self.task.run.as_ref().filter(|run| run.purpose == Purpose::Work);
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

    fn work(&self) -> Option<&Workspace> {
        self.task.workspace.as_ref()
    }
}
