//! The parent of ordered turns: starts, stops and waits for turns in its workspace (T-17).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, TaskActivity};
use crate::workflow::{StateBehaviour, StateRef, TerminalOutcome, WorkflowState};
use crate::{Effect, Refusal, TaskEvent, TaskId, TurnFacts};

impl DecisionBuilder<'_> {
    /// Adds an ordered turn. The turn's creation has checked that it is allowed, under the same lock.
    pub(crate) fn add_turn(&mut self, turn: TaskId) -> Result<(), Refusal> {
        if !self.task.turns.contains(&turn) {
            self.emit(TaskEvent::TurnAdded { turn });
        }
        Ok(())
    }

    /// A turn stopped or continues, or all turns that had to end have ended.
    pub(crate) fn turn_changed(&mut self, ended: bool) -> Result<(), Refusal> {
        let state = self.state()?;
        if self.task.activity == Some(TaskActivity::EndingTurns) {
            if self.must_end_turns(state) || self.turn_at_work().is_some() {
                return Ok(());
            }
            self.emit(TaskEvent::TurnsEnded);
            return self.start_state_work();
        }
        self.clear_stopped_turn();
        let over = self.open_turns().next().is_none();
        match &state.behaviour {
            StateBehaviour::Work { done, .. } if over && self.task.in_turns => {
                self.record_submission(state, done, None)?;
                self.enter_state(done, false, Some("turns_done"))
            }
            StateBehaviour::Work { .. } => {
                if self.can_start_turns() {
                    self.start_next_turn(ended);
                }
                Ok(())
            }
            // The removal of the workspace waited for the turns.
            StateBehaviour::Hold { cleanup: Some(_) }
                if over && ended && !self.task.is_executing() =>
            {
                self.start_state_work()
            }
            _ => Ok(()),
        }
    }

    /// Annotates the task because the next turn could not start; a person must look at it.
    pub(crate) fn turn_refused(&mut self, turn: TaskId, message: &str) {
        let next = self.open_turns().next();
        let next =
            next.filter(|next| next.task == turn && !next.is_executing && self.can_start_turns());
        if let Some(key) = next.map(|next| next.key.clone()) {
            self.annotate_stopped_turn(turn, format!("{key} cannot start: {message}"));
        }
    }

    /// Clears the annotation about a turn that could not start.
    pub(crate) fn turn_started(&mut self) {
        self.clear_stopped_turn();
    }

    /// Whether submitting the task must wait for open turns.
    pub(crate) fn waits_for_turns(&self, target: &StateRef) -> Result<bool, Refusal> {
        Ok(is_submitted_state(self.resolve(target)?) && self.open_turns().next().is_some())
    }

    /// T-17: refuses to enter a gate while turns are open.
    pub(crate) fn check_turns_over(&self, target: &StateRef) -> Result<(), Refusal> {
        if !self.waits_for_turns(target)? {
            return Ok(());
        }
        let open = self.open_turns().map(|turn| turn.key.clone()).collect();
        Err(Refusal::TurnsOpen { key: self.task.key(), open })
    }

    /// Starts the open turns, because the task's own work is done.
    pub(crate) fn start_turns(&mut self) {
        self.emit(TaskEvent::TurnsBegun);
        self.start_next_turn(true);
    }

    pub(crate) fn open_turns(&self) -> impl Iterator<Item = &TurnFacts> {
        self.facts.turns.iter().filter(|turn| !turn.has_ended)
    }

    pub(crate) fn turn_at_work(&self) -> Option<&TurnFacts> {
        self.facts.turns.iter().find(|turn| turn.is_executing)
    }

    pub(crate) fn check_no_turn_at_work(&self) -> Result<(), Refusal> {
        self.check_no_turn(self.turn_at_work())
    }

    /// Also refuses an open turn that has not started, because it needs the workspace too.
    pub(crate) fn check_no_turn_open(&self) -> Result<(), Refusal> {
        self.check_no_turn(self.open_turns().next())
    }

    fn check_no_turn(&self, turn: Option<&TurnFacts>) -> Result<(), Refusal> {
        match turn {
            Some(turn) => {
                let holder = format!("{}, an ordered turn,", turn.key);
                Err(Refusal::WorkspaceLocked { key: self.task.key(), holder })
            }
            None => Ok(()),
        }
    }

    /// Whether running turns block the work of a state. In a work state, turns are refused or started later instead.
    pub(crate) fn must_end_turns(&self, state: &WorkflowState) -> bool {
        match &state.behaviour {
            StateBehaviour::Terminal { .. } => {
                self.open_turns().next().is_some() || self.turn_at_work().is_some()
            }
            StateBehaviour::Work { .. } => false,
            _ => self.turn_at_work().is_some(),
        }
    }

    /// Stops the turns. The work of the state starts when they have ended.
    pub(crate) fn end_turns(&mut self) {
        self.emit(TaskEvent::TurnsEnding);
        self.plan_effect(Effect::EndTurns);
    }

    /// Starts the first open turn if `begin` is set. Annotates the task if that turn cannot continue by itself.
    fn start_next_turn(&mut self, begin: bool) {
        let Some(next) = self.open_turns().next().cloned() else { return };
        if self.turn_at_work().is_some() {
            return;
        }
        match &next.stop_reason {
            Some(trouble) => self.annotate_stopped_turn(
                next.task,
                format!(
                    "{} needs a person: {trouble}. Restart it, or cancel it to continue with the others",
                    next.key
                ),
            ),
            None if begin => self.plan_effect(Effect::BeginTurn { turn: next.task }),
            None => {}
        }
    }

    fn annotate_stopped_turn(&mut self, turn: TaskId, message: String) {
        let said = self.task.annotation.as_ref();
        if said
            .is_none_or(|said| said.kind == AnnotationType::TurnStopped && said.message != message)
        {
            let details = serde_json::json!({ "turn": turn });
            self.annotate(AnnotationType::TurnStopped, message, details);
        }
    }

    fn clear_stopped_turn(&mut self) {
        let trouble = self.task.annotation.as_ref();
        if trouble.is_some_and(|trouble| trouble.kind == AnnotationType::TurnStopped) {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
    }

    /// Whether no other execution uses the workspace and no person has stopped the task.
    fn can_start_turns(&self) -> bool {
        let by_agent = self.task.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        let idle = !by_agent && self.task.activity.is_none() && self.task.postponed.is_none();
        idle && !self.is_stopped_by_person()
    }
}

/// Whether a task in this state has been submitted.
fn is_submitted_state(state: &WorkflowState) -> bool {
    matches!(
        state.behaviour,
        StateBehaviour::Gate { .. }
            | StateBehaviour::Merge { .. }
            | StateBehaviour::Terminal { outcome: TerminalOutcome::Success, .. }
    )
}
