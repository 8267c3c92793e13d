//! A decision in the making: each fact is applied at once, so that the next rule sees the task as it would be.

use super::outcome::Decision;
use crate::apply::apply;
use crate::task::{Annotation, AnnotationType, FollowUp, Snapshot};
use crate::workflow::{State, StateRef, Workflow};
use crate::{
    Actor, Effect, EffectId, Envelope, Event, Facts, PlannedEffect, Recorded, Refusal, Timestamp,
    TokenUsage,
};
use uuid::Uuid;

/// Collects what a command leads to.
pub(super) struct Draft<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) facts: &'a Facts,
    pub(super) envelope: &'a Envelope,
    pub(super) task: Snapshot,
    /// What the next run that is opened goes on with.
    pub(super) follow_up: Option<FollowUp>,
    /// What the next run that is opened is told besides.
    pub(super) messages: Vec<String>,
    /// What a run that just ended used: the facts do not know it yet.
    pub(super) just_used: TokenUsage,
    events: Vec<Event>,
    effects: Vec<PlannedEffect>,
    supersedes: bool,
    derived: u32,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        workflow: &'a Workflow,
        task: &Snapshot,
        facts: &'a Facts,
        envelope: &'a Envelope,
    ) -> Result<Self, Refusal> {
        let draft = Self {
            workflow,
            facts,
            envelope,
            task: task.clone(),
            follow_up: None,
            messages: Vec::new(),
            just_used: TokenUsage::default(),
            events: Vec::new(),
            effects: Vec::new(),
            supersedes: false,
            derived: 0,
        };
        draft.state()?;
        Ok(draft)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.envelope.at
    }

    pub(super) fn actor(&self) -> &'a Actor {
        &self.envelope.actor
    }

    /// A fresh identifier, the same one each time the command is decided.
    pub(super) fn fresh(&mut self) -> Uuid {
        self.derived += 1;
        self.envelope.id.derive(self.derived)
    }

    /// The state the task is in.
    pub(super) fn state(&self) -> Result<&'a State, Refusal> {
        self.workflow
            .state(&self.task.state)
            .ok_or_else(|| Refusal::UnknownState { state: self.task.state.clone() })
    }

    /// The state a reference stands for.
    pub(super) fn resolve(&self, target: &StateRef) -> Result<&'a State, Refusal> {
        self.workflow
            .state(target.name())
            .ok_or_else(|| Refusal::UnknownState { state: target.name().clone() })
    }

    /// Records a fact.
    pub(super) fn emit(&mut self, event: Event) {
        apply(&mut self.task, &event, self.envelope.at);
        self.events.push(event);
    }

    /// Wants something done now.
    pub(super) fn want(&mut self, effect: Effect) {
        self.want_at(effect, self.envelope.at);
    }

    /// Wants something done later.
    pub(super) fn want_at(&mut self, effect: Effect, not_before: Timestamp) {
        let id = EffectId::new(self.fresh());
        self.effects.push(PlannedEffect { id, effect, not_before });
    }

    /// Says that what waits from before has lost its point.
    pub(super) fn supersede(&mut self) {
        self.supersedes = true;
    }

    /// Notes a trouble on the task.
    pub(super) fn annotate(
        &mut self,
        kind: AnnotationType,
        message: impl Into<String>,
        details: serde_json::Value,
    ) {
        let annotation = Annotation { kind, message: message.into(), details, at: self.now() };
        self.emit(Event::TaskAnnotated { annotation: Some(annotation) });
    }

    pub(super) fn finish(mut self) -> Decision {
        if self.events.iter().any(Event::is_versioned) {
            self.task.version += 1;
        }
        let (at, version) = (self.envelope.at, self.task.version);
        let events = self.events.into_iter().map(|event| Recorded { event, at, version }).collect();
        Decision { snapshot: self.task, events, effects: self.effects, supersedes: self.supersedes }
    }
}
