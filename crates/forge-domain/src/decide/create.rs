//! Creates a task.

use crate::command::CreateTask;
use crate::decide::decision::Decision;
use crate::task::{GateRecord, OriginTask, PostLanding, Subtask, TaskActivity, TaskSnapshot};
use crate::workflow::{Workflow, WorkflowState};
use crate::{
    Actor, Assignee, Budget, CommandEnvelope, Effect, EffectId, PlannedEffect, RecordedEvent,
    Refusal, TaskEvent, TaskId,
};
use std::collections::{BTreeMap, BTreeSet};

const LONGEST_TITLE: usize = 500;

/// Creates a task in the workflow's initial state, or in its claimable queue if that is requested. A task that reverts
/// or fixes another one starts where its work begins.
pub fn create(
    workflow: &Workflow,
    envelope: &CommandEnvelope<CreateTask>,
) -> Result<Decision, Refusal> {
    let asked = &envelope.command;
    check_title(&asked.title)?;
    check_description(&asked.description)?;
    check_budget(&asked.budget)?;
    let known: BTreeSet<_> = workflow.roles().collect();
    let mut roles = asked.roles.clone();
    if asked.origin.is_some() {
        // The roles come from the other task, whose workflow may differ.
        roles.retain(|role, _| known.contains(role));
    }
    for role in roles.keys() {
        crate::decide::claim::assign::check_role(workflow, role)?;
    }
    // Its parent starts an ordered turn.
    let is_turn = matches!(asked.subtask, Some(Subtask::OrderedTurn(_)));
    let (initial, activity) = match &asked.origin {
        Some(OriginTask::Revert { .. }) => {
            let entry = crate::decide::landing::revert::revert_entry_state(workflow)
                .ok_or(Refusal::NoLandingState)?;
            (entry, Some(TaskActivity::Reverting))
        }
        Some(OriginTask::Fix { .. }) => {
            (workflow.claim_queue().unwrap_or_else(|| workflow.initial()), None)
        }
        None if asked.queued && !is_turn => {
            (workflow.claim_queue().unwrap_or_else(|| workflow.initial()), None)
        }
        None => (workflow.initial(), None),
    };
    let person = match &envelope.actor {
        Actor::User { id } => Some(Assignee::User { id: *id }),
        Actor::Agent { .. } | Actor::System { .. } => None,
    };
    let state: &WorkflowState = workflow
        .state(initial.name())
        .ok_or_else(|| Refusal::UnknownState { state: initial.name().clone() })?;
    let snapshot = TaskSnapshot {
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
        overrides: BTreeMap::new(),
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
        plan: None,
        questions: Vec::new(),
        asked_questions: 0,
        answer_turn: None,
        holder: person.filter(|_| activity.is_some()),
        feedback: None,
        handoffs: Vec::new(),
        declined_by: BTreeSet::new(),
        post_landing: Box::new(PostLanding {
            origin: asked.origin.clone(),
            ..PostLanding::default()
        }),
        created_at: envelope.at,
        updated_at: envelope.at,
    };
    let event = TaskEvent::TaskCreated(Box::new(snapshot.clone()));
    let events = vec![RecordedEvent { event, at: envelope.at, version: 1 }];
    let effects = match &asked.origin {
        Some(OriginTask::Revert { commit, .. }) => vec![PlannedEffect {
            id: EffectId::new(envelope.id.derive(1)),
            effect: Effect::Revert { commit: commit.clone() },
            not_before: envelope.at,
        }],
        Some(OriginTask::Fix { .. }) | None => Vec::new(),
    };
    Ok(Decision { snapshot, events, effects, supersedes: false })
}

/// Checks that the budget allows an agent to start.
pub(crate) fn check_budget(budget: &Budget) -> Result<(), Refusal> {
    match budget.problem() {
        Some(problem) => {
            Err(Refusal::InvalidField { field: "budget", problem: problem.to_owned() })
        }
        None => Ok(()),
    }
}

/// Checks that the description can be stored and used in a commit message.
pub(crate) fn check_description(description: &str) -> Result<(), Refusal> {
    if description.contains('\0') {
        let problem = "a description has no zero byte in it; leave it out".to_owned();
        return Err(Refusal::InvalidField { field: "description", problem });
    }
    Ok(())
}

/// Checks that the title fits a list.
pub(crate) fn check_title(title: &str) -> Result<(), Refusal> {
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
