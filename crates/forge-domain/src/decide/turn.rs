//! A turn in another task's workspace (T-17): what it needs, and what it tells its parent.

use super::draft::Draft;
use crate::task::{AnnotationType, Snapshot};
use crate::workflow::Behaviour;
use crate::{Assignee, Command, Effect, Refusal, TurnFacts};

impl Draft<'_> {
    /// Takes the turn for its own agent, else for the parent's. One that is under way or over is left alone.
    pub(super) fn begin_turn(&mut self) -> Result<(), Refusal> {
        let state = self.state()?;
        let Some(path) = self.workflow.claim_path(state, false).filter(|_| self.is_free()) else {
            return Ok(());
        };
        let Some(parent) = self.facts.parent.as_ref().filter(|parent| parent.working) else {
            return Ok(());
        };
        match self.task.roles.get(&path.role).copied().or(parent.coder) {
            Some(claimer) => self.claim(claimer),
            None => self.check_turn(),
        }
    }

    /// The parent moved on: the turn waits until it is back, or is called off with it.
    pub(super) fn end_turn(&mut self, cancel: bool) -> Result<(), Refusal> {
        let state = self.state()?;
        match (&state.behaviour, self.workflow.pool()) {
            (Behaviour::Terminal { .. }, _) => Ok(()),
            _ if cancel => {
                self.arrive(&self.workflow.cancel(), false, Some("its parent has ended"))
            }
            (Behaviour::Work { .. }, Some(pool)) => {
                self.arrive(&pool, false, Some("its parent moved on"))
            }
            _ => Ok(()),
        }
    }

    /// People work in the parent's own run: a turn ends in a commit that Forge makes for its agent.
    pub(super) fn check_turn_claimer(&self, claimer: Assignee) -> Result<(), Refusal> {
        if self.task.turn().is_none() || claimer.agent().is_some() {
            return Ok(());
        }
        let problem = "an ordered turn is taken by an agent; name one, or do the work in the parent's own run";
        Err(Refusal::InvalidField { field: "agent_id", problem: problem.to_owned() })
    }

    /// Whether the turn can be taken now. Says yes of a task that is none.
    pub(super) fn check_turn(&self) -> Result<(), Refusal> {
        let (Some(_), Some(parent)) = (self.task.turn(), &self.facts.parent) else {
            return Ok(());
        };
        let required = |problem| {
            let key = self.task.key().to_string();
            Err(Refusal::ParentWorkspaceRequired { key, parent: parent.key, problem })
        };
        if !parent.open {
            return required("that has been handed in; move it back to work first");
        }
        if parent.coder.is_none() {
            return required("nobody carries that; claim it or assign it first");
        }
        if !parent.has_workspace {
            return required("there is none; claim the parent first");
        }
        if !parent.before.is_empty() {
            let (key, open) = (self.task.key(), parent.before.clone());
            return Err(Refusal::TurnsOpen { key, open });
        }
        match parent.busy {
            Some(holder) => {
                let (key, holder) = (parent.key, holder.to_owned());
                Err(Refusal::WorkspaceLocked { key, holder })
            }
            None => Ok(()),
        }
    }

    /// Whether a run can have the workspace it is for. Who asked is refused; where the engine itself goes on, a turn
    /// is parked, and its parent waits for it to be ended.
    pub(super) fn has_the_place(&mut self) -> Result<bool, Refusal> {
        let asked = !matches!(self.envelope.command, Command::Report(_));
        if let Err(refusal) = self.check_turn() {
            if asked {
                return Err(refusal);
            }
            let message = refusal.to_string();
            let trouble = AnnotationType::ParentWorkspaceRequired;
            self.park(trouble, &message, serde_json::Value::Null)?;
            return Ok(false);
        }
        if self.turn_at_work().is_some() {
            if asked {
                self.check_no_turn_at_work()?;
            }
            self.end_turns();
            return Ok(false);
        }
        Ok(true)
    }

    /// Whatever the command was: when a turn comes to a halt, or gets over one, its parent has to know.
    pub(super) fn tell_parent(&mut self, before: &Snapshot) {
        if self.task.turn().is_none() {
            return;
        }
        let (then, now) = (TurnFacts::of(before), TurnFacts::of(&self.task));
        if now != then && (!now.at_work || then.trouble.is_some()) {
            self.want(Effect::TellParent { ended: now.ended });
        }
    }
}
