//! A new task.

use super::outcome::Decision;
use crate::command::Create;
use crate::task::{Activity, Aftermath, GateRecord, Origin, Snapshot};
use crate::workflow::{State, Workflow};
use crate::{
    Actor, Assignee, Budget, Effect, EffectId, Envelope, Event, PlannedEffect, Recorded, Refusal,
    TaskId,
};
use std::collections::{BTreeMap, BTreeSet};

const LONGEST_TITLE: usize = 500;

/// Makes a task in the workflow's initial state, or where its work begins that is about another's.
pub fn create(workflow: &Workflow, envelope: &Envelope<Create>) -> Result<Decision, Refusal> {
    let asked = &envelope.command;
    check_title(&asked.title)?;
    check_description(&asked.description)?;
    check_budget(&asked.budget)?;
    let known: BTreeSet<_> = workflow.roles().collect();
    let mut roles = asked.roles.clone();
    if asked.origin.is_some() {
        // Taken over from the other task, whose workflow may have been another.
        roles.retain(|role, _| known.contains(role));
    }
    for role in roles.keys() {
        super::assign::check_role(workflow, role)?;
    }
    let (initial, activity) = match &asked.origin {
        Some(Origin::Revert { .. }) => {
            let entry = super::revert::entry(workflow).ok_or(Refusal::NoWayToLand)?;
            (entry, Some(Activity::Reverting))
        }
        Some(Origin::Fix { .. }) => (workflow.pool().unwrap_or_else(|| workflow.initial()), None),
        None => (workflow.initial(), None),
    };
    let person = match &envelope.actor {
        Actor::User { id } => Some(Assignee::User { id: *id }),
        Actor::Agent { .. } | Actor::System { .. } => None,
    };
    let state: &State = workflow
        .state(initial.name())
        .ok_or_else(|| Refusal::UnknownState { state: initial.name().clone() })?;
    let snapshot = Snapshot {
        id: TaskId::new(envelope.id.derive(0)),
        project_id: asked.project_id,
        repo_id: asked.repo_id,
        number: asked.number,
        kind: asked.kind,
        title: asked.title.clone(),
        description: asked.description.clone(),
        workflow: workflow.hash().clone(),
        state: state.name.clone(),
        phase: state.phase,
        standing: state.standing(),
        claimable: state.is_claimable(),
        visit: 0,
        version: 1,
        priority: asked.priority,
        labels: asked.labels.clone(),
        review_config: asked.review_config.clone(),
        merge_config: asked.merge_config.clone(),
        roles,
        dependencies: asked.dependencies.clone(),
        parent: asked.parent,
        subtask: asked.subtask.clone(),
        turns: BTreeSet::new(),
        in_turns: false,
        annotation: None,
        review_passed_at: None,
        archived_at: None,
        metadata: asked.metadata.clone(),
        run: None,
        last_run: None,
        activity,
        workspace: None,
        review: None,
        reviewed: None,
        pull_request: None,
        attempts: 0,
        rejections: BTreeMap::new(),
        gate: GateRecord::default(),
        sent_back: false,
        sessions: BTreeMap::new(),
        lost_runs: 0,
        quota_waits: 0,
        budget: asked.budget,
        postponed: None,
        steers: Vec::new(),
        holder: person.filter(|_| activity.is_some()),
        feedback: None,
        handoffs: Vec::new(),
        aftermath: Box::new(Aftermath { origin: asked.origin.clone(), ..Aftermath::default() }),
        created_at: envelope.at,
        updated_at: envelope.at,
    };
    let event = Event::TaskCreated(Box::new(snapshot.clone()));
    let events = vec![Recorded { event, at: envelope.at, version: 1 }];
    let effects = match &asked.origin {
        Some(Origin::Revert { commit, .. }) => vec![PlannedEffect {
            id: EffectId::new(envelope.id.derive(1)),
            effect: Effect::Revert { commit: commit.clone() },
            not_before: envelope.at,
        }],
        Some(Origin::Fix { .. }) | None => Vec::new(),
    };
    Ok(Decision { snapshot, events, effects, supersedes: false })
}

/// A budget that lets anybody begin.
pub(super) fn check_budget(budget: &Budget) -> Result<(), Refusal> {
    match budget.problem() {
        Some(problem) => {
            Err(Refusal::InvalidField { field: "budget", problem: problem.to_owned() })
        }
        None => Ok(()),
    }
}

/// Words that can be stored, and become part of a commit's message.
pub(super) fn check_description(description: &str) -> Result<(), Refusal> {
    if description.contains('\0') {
        let problem = "a description has no zero byte in it; leave it out".to_owned();
        return Err(Refusal::InvalidField { field: "description", problem });
    }
    Ok(())
}

/// A title people can read in a list.
pub(super) fn check_title(title: &str) -> Result<(), Refusal> {
    let problem = if title.trim().is_empty() {
        "a task needs a title"
    } else if title.chars().count() > LONGEST_TITLE {
        "a title has at most 500 characters; put the rest into the description"
    } else if title.chars().any(char::is_control) {
        "a title is one line without control characters"
    } else {
        return Ok(());
    };
    Err(Refusal::InvalidField { field: "title", problem: problem.to_owned() })
}
