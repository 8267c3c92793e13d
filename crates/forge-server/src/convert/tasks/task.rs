//! Converts tasks.

use forge_api::{
    ActivityView, ErrorAnnotation, HandoffView, QueuedMessage, SteerDelivery, Task, TaskKind,
};
use forge_domain::task::{self, Annotation, ExecutionPurpose, TaskActivity, TaskSnapshot};
use forge_store::tables::tasks::TaskSortKey;
use serde_json::{Map, Value, json};

use crate::convert::accounts::actor::actor;
use crate::convert::executions::usage::budget;
use crate::convert::landing::post_landing;
use crate::convert::landing::pull_request::pull_request;
use crate::convert::tasks::assignee::assignee;
use crate::convert::tasks::claim_overrides::claim_overrides;
use crate::convert::tasks::question::open_questions;
use crate::convert::tasks::subtask::subtask;
use crate::convert::tasks::task_config::{merge_config, review_config};
use crate::convert::tasks::task_phase::phase;
use crate::convert::time::rfc3339;

/// Converts a task snapshot to the wire type.
pub(crate) fn task(task: &TaskSnapshot) -> Task {
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
        overrides: task
            .overrides
            .iter()
            .filter_map(|(role, stored)| Some((role.to_string(), claim_overrides(stored)?)))
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
        plan: task.plan.clone(),
        questions: open_questions(task),
        origin: post_landing::origin(task),
        landing: post_landing::landing(task),
        cleanup: post_landing::cleanup(task),
        reverted_by: task.post_landing.reverted_by.map(|id| id.uuid()),
        regression: post_landing::regression(task),
        budget: budget(task.budget),
        metadata: metadata(task),
        workflow_hash: task.workflow.to_string(),
        busy: busy(task),
        created_at: rfc3339(task.created_at),
        updated_at: rfc3339(task.updated_at),
    }
}

/// Converts a message that is not read yet.
fn message(found: &task::SteerMessage) -> QueuedMessage {
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
pub(crate) fn delivery(found: &task::SteerMessage) -> SteerDelivery {
    if found.live { SteerDelivery::Live } else { SteerDelivery::NextTurn }
}

fn handoff(found: &task::HandoffNote) -> HandoffView {
    HandoffView {
        by: actor(&found.by),
        from: found.from.map(assignee),
        message: found.message.clone(),
        branch: found.branch.clone(),
        worktree: found.worktree.clone(),
        last_execution: found.execution.map(|id| id.uuid()),
        at: rfc3339(found.at),
    }
}

/// T-20: adds where the work of the last handoff is to the client's own metadata. It is not stored there, so that a
/// client cannot lose it by writing its own metadata.
fn metadata(task: &TaskSnapshot) -> Map<String, Value> {
    let mut all = task.metadata.clone();
    if let Some(last) = task.handoffs.last().map(handoff) {
        let HandoffView { branch, worktree, last_execution, at, .. } = last;
        let place = json!({ "branch": branch, "worktree": worktree, "last_execution": last_execution, "at": at });
        all.insert("handoff".to_owned(), place);
        let keys = [
            ("handoffBranch", json!(branch)),
            ("handoffWorktree", json!(worktree)),
            ("lastSessionId", json!(last_execution)),
            ("handoffAt", json!(at)),
        ];
        let keys = keys.map(|(name, value)| (name.to_owned(), value));
        match all.get_mut("orchestrator").and_then(Value::as_object_mut) {
            Some(own) => own.extend(keys),
            None => {
                all.insert("orchestrator".to_owned(), Value::Object(Map::from_iter(keys)));
            }
        }
    }
    all
}

fn annotation(annotation: &Annotation) -> ErrorAnnotation {
    // An enum of plain names always serializes as a string.
    let kind = serde_json::to_value(annotation.kind).ok();
    ErrorAnnotation {
        kind: kind.and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default(),
        message: annotation.message.clone(),
        details: annotation.details.clone(),
        at: rfc3339(annotation.at),
    }
}

fn busy(task: &TaskSnapshot) -> Option<ActivityView> {
    let judges = task.run.as_ref().is_some_and(|run| run.purpose == ExecutionPurpose::Judge);
    Some(match task.activity? {
        TaskActivity::Preparing { .. } => ActivityView::Preparing,
        TaskActivity::Running { .. } if judges => ActivityView::Judging,
        TaskActivity::Running { .. } => ActivityView::Running,
        TaskActivity::Checking { .. } => ActivityView::Checking,
        TaskActivity::Landing => ActivityView::Landing,
        TaskActivity::Cleaning => ActivityView::Cleaning,
        TaskActivity::Rebasing => ActivityView::Rebasing,
        TaskActivity::Reverting => ActivityView::Reverting,
        TaskActivity::Stopping { .. } | TaskActivity::EndingTurns => ActivityView::Stopping,
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

/// Converts a task kind from the wire type.
pub(crate) fn domain_kind(kind: TaskKind) -> task::TaskKind {
    match kind {
        TaskKind::Task => task::TaskKind::Task,
        TaskKind::Session => task::TaskKind::Session,
        TaskKind::Run => task::TaskKind::Run,
        TaskKind::Triage => task::TaskKind::Triage,
    }
}

/// Converts a sort key from the wire type.
pub(crate) fn store_sort(sort: forge_api::TaskSort) -> TaskSortKey {
    match sort {
        forge_api::TaskSort::Created => TaskSortKey::Created,
        forge_api::TaskSort::Updated => TaskSortKey::Updated,
        forge_api::TaskSort::Priority => TaskSortKey::Priority,
    }
}

/// Converts a version from the wire. A version that cannot exist counts as stale.
pub(crate) fn row_version(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// Converts a number that only counts up from 1.
fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
