//! Tasks.

use forge_api::{Busy, ErrorAnnotation, Handoff, QueuedMessage, SteerDelivery, Task, TaskKind};
use forge_domain::task::{self, Activity, Annotation, Purpose, Snapshot};
use forge_store::tables::tasks::TaskSort;
use serde_json::{Map, Value, json};

use super::actor::actor;
use super::aftermath;
use super::assignee::assignee;
use super::phase::phase;
use super::pull_request::pull_request;
use super::subtask::subtask;
use super::task_config::{merge_config, review_config};
use super::time::rfc3339;
use super::usage::budget;

/// A task as clients see it.
pub(crate) fn task(task: &Snapshot) -> Task {
    Task {
        id: task.id.uuid(),
        project_id: task.project_id.uuid(),
        repo_id: task.repo_id.map(|id| id.uuid()),
        number: counted(task.number),
        key: task.key().to_string(),
        kind: kind(task.kind),
        title: task.title.clone(),
        description: task.description.clone(),
        status: task.state.to_string(),
        phase: phase(task.phase),
        version: counted(task.version),
        priority: task.priority,
        labels: task.labels.iter().cloned().collect(),
        review_config: review_config(&task.review_config),
        merge_config: merge_config(&task.merge_config),
        roles: task
            .roles
            .iter()
            .map(|(role, holder)| (role.to_string(), assignee(*holder)))
            .collect(),
        dependencies: task.dependencies.iter().map(|id| id.uuid()).collect(),
        parent: task.parent.map(|id| id.uuid()),
        subtask: subtask(task),
        error_annotation: task.annotation.as_ref().map(annotation),
        pull_request: task.pull_request.as_ref().map(pull_request),
        review_passed_at: task.review_passed_at.map(rfc3339),
        archived_at: task.archived_at.map(rfc3339),
        handoffs: task.handoffs.iter().map(handoff).collect(),
        messages: task.steers.iter().map(message).collect(),
        origin: aftermath::origin(task),
        landing: aftermath::landing(task),
        cleanup: aftermath::cleanup(task),
        reverted_by: task.aftermath.reverted_by.map(|id| id.uuid()),
        regression: aftermath::regression(task),
        budget: budget(task.budget),
        metadata: metadata(task),
        workflow_hash: task.workflow.to_string(),
        busy: busy(task),
        created_at: rfc3339(task.created_at),
        updated_at: rfc3339(task.updated_at),
    }
}

/// A message that waits to be read.
fn message(found: &task::Steer) -> QueuedMessage {
    QueuedMessage {
        id: found.id,
        execution_id: found.execution.uuid(),
        message: found.message.clone(),
        delivery: delivery(found),
        by: actor(&found.by),
        at: rfc3339(found.at),
    }
}

/// How a message reaches its agent.
pub(crate) fn delivery(found: &task::Steer) -> SteerDelivery {
    if found.live { SteerDelivery::Live } else { SteerDelivery::NextTurn }
}

fn handoff(found: &task::Handoff) -> Handoff {
    Handoff {
        by: actor(&found.by),
        from: found.from.map(assignee),
        message: found.message.clone(),
        branch: found.branch.clone(),
        worktree: found.worktree.clone(),
        last_execution: found.execution.map(|id| id.uuid()),
        at: rfc3339(found.at),
    }
}

/// T-20: where the work of the last handoff is, beside what clients keep there. It is not stored with theirs, so that
/// no client can lose it by writing its own.
fn metadata(task: &Snapshot) -> Map<String, Value> {
    let mut all = task.metadata.clone();
    if let Some(last) = task.handoffs.last().map(handoff) {
        let Handoff { branch, worktree, last_execution, at, .. } = last;
        let place = json!({ "branch": branch, "worktree": worktree, "last_execution": last_execution, "at": at });
        all.insert("handoff".to_owned(), place);
    }
    all
}

fn annotation(annotation: &Annotation) -> ErrorAnnotation {
    // An enum of plain names is always written as a string.
    let kind = serde_json::to_value(annotation.kind).ok();
    ErrorAnnotation {
        kind: kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default(),
        message: annotation.message.clone(),
        details: annotation.details.clone(),
        at: rfc3339(annotation.at),
    }
}

fn busy(task: &Snapshot) -> Option<Busy> {
    let judges = task.run.as_ref().is_some_and(|run| run.purpose == Purpose::Judge);
    Some(match task.activity? {
        Activity::Preparing { .. } => Busy::Preparing,
        Activity::Running { .. } if judges => Busy::Judging,
        Activity::Running { .. } => Busy::Running,
        Activity::Checking { .. } => Busy::Checking,
        Activity::Landing => Busy::Landing,
        Activity::Cleaning => Busy::Cleaning,
        Activity::Rebasing => Busy::Rebasing,
        Activity::Reverting => Busy::Reverting,
        Activity::Stopping { .. } | Activity::EndingTurns => Busy::Stopping,
    })
}

fn kind(kind: task::TaskKind) -> TaskKind {
    match kind {
        task::TaskKind::Task => TaskKind::Task,
        task::TaskKind::Session => TaskKind::Session,
        task::TaskKind::Run => TaskKind::Run,
        task::TaskKind::Triage => TaskKind::Triage,
    }
}

/// A kind as clients ask for it.
pub(crate) fn asked_kind(kind: TaskKind) -> task::TaskKind {
    match kind {
        TaskKind::Task => task::TaskKind::Task,
        TaskKind::Session => task::TaskKind::Session,
        TaskKind::Run => task::TaskKind::Run,
        TaskKind::Triage => task::TaskKind::Triage,
    }
}

/// An order as clients ask for it.
pub(crate) fn asked_sort(sort: forge_api::TaskSort) -> TaskSort {
    match sort {
        forge_api::TaskSort::Created => TaskSort::Created,
        forge_api::TaskSort::Updated => TaskSort::Updated,
        forge_api::TaskSort::Priority => TaskSort::Priority,
    }
}

/// A version as clients send it. One that cannot exist is as stale as any other.
pub(crate) fn asked_version(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// What only counts up from 1.
fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
