//! A task whose workspace others take turns in (T-17).

use super::draft::Draft;
use crate::task::{Activity, AnnotationType};
use crate::workflow::{Behaviour, Outcome, State, StateRef};
use crate::{Effect, Event, Refusal, TaskId, TurnFacts};

impl Draft<'_> {
    /// Whether the task may have it was decided when the other was made, under the same lock.
    pub(super) fn add_turn(&mut self, turn: TaskId) -> Result<(), Refusal> {
        if !self.task.turns.contains(&turn) {
            self.emit(Event::TurnAdded { turn });
        }
        Ok(())
    }

    /// A turn came to a halt or got over one, or those that were to be ended are.
    pub(super) fn turn_changed(&mut self, ended: bool) -> Result<(), Refusal> {
        let state = self.state()?;
        if self.task.activity == Some(Activity::EndingTurns) {
            if self.must_end_turns(state) || self.turn_at_work().is_some() {
                return Ok(());
            }
            self.emit(Event::TurnsEnded);
            return self.begin();
        }
        self.forget_stopped_turn();
        let over = self.open_turns().next().is_none();
        match &state.behaviour {
            Behaviour::Work { done, .. } if over && self.task.in_turns => {
                self.submit_if_handed_in(state, done, None)?;
                self.arrive(done, false, Some("turns_done"))
            }
            Behaviour::Work { .. } => {
                if self.may_take_turns() {
                    self.next_turn(ended);
                }
                Ok(())
            }
            // Its removal had to wait.
            Behaviour::Hold { cleanup: Some(_) } if over && ended && !self.task.is_at_work() => {
                self.begin()
            }
            _ => Ok(()),
        }
    }

    /// The next turn could not begin; a person has to see that.
    pub(super) fn turn_refused(&mut self, turn: TaskId, message: &str) {
        let next = self.open_turns().next();
        let next = next.filter(|next| next.task == turn && !next.at_work && self.may_take_turns());
        if let Some(key) = next.map(|next| next.key.clone()) {
            self.turn_stopped(turn, format!("{key} cannot begin: {message}"));
        }
    }

    /// What stood in its way does not any more.
    pub(super) fn turn_begun(&mut self) {
        self.forget_stopped_turn();
    }

    /// Whether handing in has to wait for turns.
    pub(super) fn waits_for_turns(&self, target: &StateRef) -> Result<bool, Refusal> {
        Ok(hands_in(self.resolve(target)?) && self.open_turns().next().is_some())
    }

    /// T-17: the gate stays shut while turns are open.
    pub(super) fn check_turns_over(&self, target: &StateRef) -> Result<(), Refusal> {
        if !self.waits_for_turns(target)? {
            return Ok(());
        }
        let open = self.open_turns().map(|turn| turn.key.clone()).collect();
        Err(Refusal::TurnsOpen { key: self.task.key(), open })
    }

    /// The task's own work is done: the turns follow.
    pub(super) fn begin_turns(&mut self) {
        self.emit(Event::TurnsBegun);
        self.next_turn(true);
    }

    pub(super) fn open_turns(&self) -> impl Iterator<Item = &TurnFacts> {
        self.facts.turns.iter().filter(|turn| !turn.ended)
    }

    pub(super) fn turn_at_work(&self) -> Option<&TurnFacts> {
        self.facts.turns.iter().find(|turn| turn.at_work)
    }

    pub(super) fn check_no_turn_at_work(&self) -> Result<(), Refusal> {
        self.check_free_of(self.turn_at_work())
    }

    /// A turn that has yet to be taken needs the workspace too.
    pub(super) fn check_no_turn_open(&self) -> Result<(), Refusal> {
        self.check_free_of(self.open_turns().next())
    }

    fn check_free_of(&self, turn: Option<&TurnFacts>) -> Result<(), Refusal> {
        match turn {
            Some(turn) => {
                let holder = format!("{}, an ordered turn,", turn.key);
                Err(Refusal::WorkspaceLocked { key: self.task.key(), holder })
            }
            None => Ok(()),
        }
    }

    /// Whether turns are in the way of what a state is for. Where somebody works, they are refused instead, or follow.
    pub(super) fn must_end_turns(&self, state: &State) -> bool {
        match &state.behaviour {
            Behaviour::Terminal { .. } => {
                self.open_turns().next().is_some() || self.turn_at_work().is_some()
            }
            Behaviour::Work { .. } => false,
            _ => self.turn_at_work().is_some(),
        }
    }

    /// What the state is for begins when they are ended.
    pub(super) fn end_turns(&mut self) {
        self.emit(Event::TurnsEnding);
        self.want(Effect::EndTurns);
    }

    /// Begins the first that is open, if `begin`; in any case says so if it cannot go on by itself.
    fn next_turn(&mut self, begin: bool) {
        let Some(next) = self.open_turns().next().cloned() else { return };
        if self.turn_at_work().is_some() {
            return;
        }
        match &next.trouble {
            Some(trouble) => self.turn_stopped(
                next.task,
                format!(
                    "{} needs a person: {trouble}. Begin it anew, or cancel it to go on with the rest",
                    next.key
                ),
            ),
            None if begin => self.want(Effect::BeginTurn { turn: next.task }),
            None => {}
        }
    }

    fn turn_stopped(&mut self, turn: TaskId, message: String) {
        let said = self.task.annotation.as_ref();
        if said
            .is_none_or(|said| said.kind == AnnotationType::TurnStopped && said.message != message)
        {
            let details = serde_json::json!({ "turn": turn });
            self.annotate(AnnotationType::TurnStopped, message, details);
        }
    }

    fn forget_stopped_turn(&mut self) {
        let trouble = self.task.annotation.as_ref();
        if trouble.is_some_and(|trouble| trouble.kind == AnnotationType::TurnStopped) {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
    }

    /// Whether nobody else has the workspace, and nobody said that nothing goes on by itself.
    fn may_take_turns(&self) -> bool {
        let by_agent = self.task.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        let idle = !by_agent && self.task.activity.is_none() && self.task.postponed.is_none();
        idle && !self.is_halted()
    }
}

/// Whether a task that comes here has been handed in.
fn hands_in(state: &State) -> bool {
    matches!(
        state.behaviour,
        Behaviour::Gate { .. }
            | Behaviour::Merge { .. }
            | Behaviour::Terminal { outcome: Outcome::Success, .. }
    )
}
