//! An ordered turn in its parent's workspace (T-17): its guards, and its reports to the parent.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, TaskSnapshot};
use crate::workflow::StateBehaviour;
use crate::{Assignee, Effect, Refusal, TaskCommand, TurnFacts};

impl DecisionBuilder<'_> {
    /// Starts the turn with its own agent, else with the parent's. Does nothing if it is running or has ended.
    pub(crate) fn start_turn(&mut self) -> Result<(), Refusal> {
        let state = self.state()?;
        let Some(path) =
            self.workflow.claim_path(state, false).filter(|_| self.has_no_ending_execution())
        else {
            return Ok(());
        };
        let Some(parent) = self.facts.parent.as_ref().filter(|parent| parent.is_working) else {
            return Ok(());
        };
        match self.task.roles.get(&path.role).copied().or(parent.holder) {
            Some(claimer) => {
                let overrides = self.task.overrides.get(&path.role).cloned().unwrap_or_default();
                self.claim(claimer, &overrides)
            }
            None => self.check_turn(),
        }
    }

    /// The parent moved on: the turn waits until the parent is back, or is cancelled with it.
    pub(crate) fn end_turn(&mut self, cancel: bool) -> Result<(), Refusal> {
        let state = self.state()?;
        match (&state.behaviour, self.workflow.claim_queue()) {
            (StateBehaviour::Terminal { .. }, _) => Ok(()),
            _ if cancel => {
                self.enter_state(&self.workflow.cancel(), false, Some("its parent has ended"))
            }
            (StateBehaviour::Work { .. }, Some(pool)) => {
                self.enter_state(&pool, false, Some("its parent moved on"))
            }
            _ => Ok(()),
        }
    }

    /// Only agents take turns: a turn ends in a commit that Forge makes for its agent. People work in the parent's own
    /// execution.
    pub(crate) fn check_turn_claimer(&self, claimer: Assignee) -> Result<(), Refusal> {
        if self.task.turn().is_none() || claimer.agent().is_some() {
            return Ok(());
        }
        let problem = "an ordered turn is taken by an agent; name one, or do the work in the parent's own run";
        Err(Refusal::InvalidField { field: "agent_id", problem: problem.to_owned() })
    }

    /// Checks that the turn can start now. Passes for a task that is no turn.
    pub(crate) fn check_turn(&self) -> Result<(), Refusal> {
        let (Some(_), Some(parent)) = (self.task.turn(), &self.facts.parent) else {
            return Ok(());
        };
        let required = |problem| {
            let key = self.task.key().to_string();
            Err(Refusal::ParentWorkspaceRequired { key, parent: parent.key, problem })
        };
        if !parent.is_open {
            return required("that has been submitted; move it back to work first");
        }
        if parent.holder.is_none() {
            return required("that has no holder; claim it or assign it first");
        }
        if !parent.has_workspace {
            return required("there is none; claim the parent first");
        }
        if !parent.earlier_turns.is_empty() {
            let (key, open) = (self.task.key(), parent.earlier_turns.clone());
            return Err(Refusal::TurnsOpen { key, open });
        }
        match parent.workspace_user {
            Some(holder) => {
                let (key, holder) = (parent.key, holder.to_owned());
                Err(Refusal::WorkspaceLocked { key, holder })
            }
            None => Ok(()),
        }
    }

    /// Checks that the execution can use its workspace. A user's command is refused. If the engine continues the task,
    /// a turn is parked, and a parent stops its running turn first.
    pub(crate) fn acquire_workspace(&mut self) -> Result<bool, Refusal> {
        let asked = !matches!(self.envelope.command, TaskCommand::Report(_));
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

    /// Reports to the parent when the turn stops or continues, whatever the command was.
    pub(crate) fn report_to_parent(&mut self, before: &TaskSnapshot) {
        if self.task.turn().is_none() {
            return;
        }
        let (then, now) = (TurnFacts::of(before), TurnFacts::of(&self.task));
        if now != then && (!now.is_executing || then.stop_reason.is_some()) {
            self.plan_effect(Effect::TellParent { ended: now.has_ended });
        }
    }
}
