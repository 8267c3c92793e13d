//! Builds a decision. Each event is applied at once, so that the next rule sees the resulting task.

use crate::apply::apply;
use crate::decide::decision::Decision;
use crate::task::{Annotation, AnnotationType, FollowUpMessage, TaskSnapshot};
use crate::workflow::{RoleName, StateRef, Workflow, WorkflowState};
use crate::{
    Actor, CommandEnvelope, DecisionFacts, Effect, EffectId, PlannedEffect, RecordedEvent, Refusal,
    TaskEvent, Timestamp, TokenUsage,
};
use uuid::Uuid;

/// Collects the events and effects of a command.
pub(crate) struct DecisionBuilder<'a> {
    pub(crate) workflow: &'a Workflow,
    pub(crate) facts: &'a DecisionFacts,
    pub(crate) envelope: &'a CommandEnvelope,
    pub(crate) task: TaskSnapshot,
    /// The conversation that the next execution continues.
    pub(crate) follow_up: Option<FollowUpMessage>,
    /// Additional messages for the next execution.
    pub(crate) messages: Vec<String>,
    /// Roles that the next transition releases.
    pub(crate) released: Vec<RoleName>,
    /// Usage of an execution that just ended, which the facts do not contain yet.
    pub(crate) unrecorded_usage: TokenUsage,
    events: Vec<TaskEvent>,
    effects: Vec<PlannedEffect>,
    supersedes: bool,
    derived: u32,
}

impl<'a> DecisionBuilder<'a> {
    pub(crate) fn new(
        workflow: &'a Workflow,
        task: &TaskSnapshot,
        facts: &'a DecisionFacts,
        envelope: &'a CommandEnvelope,
    ) -> Result<Self, Refusal> {
        let draft = Self {
            workflow,
            facts,
            envelope,
            task: task.clone(),
            follow_up: None,
            messages: Vec::new(),
            released: Vec::new(),
            unrecorded_usage: TokenUsage::default(),
            events: Vec::new(),
            effects: Vec::new(),
            supersedes: false,
            derived: 0,
        };
        draft.state()?;
        Ok(draft)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.envelope.at
    }

    pub(crate) fn actor(&self) -> &'a Actor {
        &self.envelope.actor
    }

    /// Whether the actor directs the task's executions: a person, or the planner of its parent (S-6).
    pub(crate) fn is_directed_by_actor(&self) -> bool {
        self.actor().is_person() || self.facts.planner.is_some()
    }

    /// The acting director, in words.
    pub(crate) fn director(&self) -> &'static str {
        if self.actor().is_person() { "a person" } else { "its planner" }
    }

    /// Derives an identifier. The same command always derives the same ones.
    pub(crate) fn derive_id(&mut self) -> Uuid {
        self.derived += 1;
        self.envelope.id.derive(self.derived)
    }

    /// The current state of the task.
    pub(crate) fn state(&self) -> Result<&'a WorkflowState, Refusal> {
        self.workflow
            .state(&self.task.state)
            .ok_or_else(|| Refusal::UnknownState { state: self.task.state.clone() })
    }

    /// Resolves a state reference.
    pub(crate) fn resolve(&self, target: &StateRef) -> Result<&'a WorkflowState, Refusal> {
        self.workflow
            .state(target.name())
            .ok_or_else(|| Refusal::UnknownState { state: target.name().clone() })
    }

    /// Records an event and applies it.
    pub(crate) fn emit(&mut self, event: TaskEvent) {
        apply(&mut self.task, &event, self.envelope.at);
        self.events.push(event);
    }

    /// Plans an effect that is due now.
    pub(crate) fn plan_effect(&mut self, effect: Effect) {
        self.plan_effect_at(effect, self.envelope.at);
    }

    /// Plans an effect that is due later.
    pub(crate) fn plan_effect_at(&mut self, effect: Effect, not_before: Timestamp) {
        let id = EffectId::new(self.derive_id());
        self.effects.push(PlannedEffect { id, effect, not_before });
    }

    /// Marks earlier pending effects as superseded.
    pub(crate) fn supersede_pending(&mut self) {
        self.supersedes = true;
    }

    /// Annotates the task with a problem.
    pub(crate) fn annotate(
        &mut self,
        kind: AnnotationType,
        message: impl Into<String>,
        details: serde_json::Value,
    ) {
        let annotation = Annotation { kind, message: message.into(), details, at: self.now() };
        self.emit(TaskEvent::TaskAnnotated { annotation: Some(annotation) });
    }

    pub(crate) fn finish(mut self) -> Decision {
        if self.events.iter().any(TaskEvent::is_versioned) {
            self.task.version += 1;
        }
        let (at, version) = (self.envelope.at, self.task.version);
        let events =
            self.events.into_iter().map(|event| RecordedEvent { event, at, version }).collect();
        Decision { snapshot: self.task, events, effects: self.effects, supersedes: self.supersedes }
    }
}
