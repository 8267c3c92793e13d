//! Events for notifications: a task needs a person, landed, or failed. Each is derived from a decision, so that a
//! client needs no rules of its own to tell them from the other events.

use crate::task::{AnnotationType, TaskSnapshot};
use crate::task_wait::person_reason::PersonReason;
use crate::workflow::{StateBehaviour, TerminalOutcome, Workflow};
use crate::{RecordedEvent, TaskEvent};

/// The reason in `task.failed` of a task that ended in a state for failure.
const ENDED: &str = "ended";

/// The notifications of a decision: `task` is the snapshot after its `events`, and `before` the reason for which the
/// task waited for a person before them. They change no snapshot.
pub fn notification_events(
    workflow: &Workflow,
    task: &TaskSnapshot,
    events: &[RecordedEvent],
    before: Option<PersonReason>,
) -> Vec<RecordedEvent> {
    let now = PersonReason::of(workflow, task);
    let new_reason = now.filter(|now| before != Some(*now));
    let landed = events.iter().rev().find_map(|recorded| match &recorded.event {
        TaskEvent::MergeFinished { result } => result.landed(),
        _ => None,
    });
    let landed = landed.map(|(commit, target)| TaskEvent::TaskLanded {
        number: task.number,
        title: task.title.clone(),
        commit: commit.map(str::to_owned),
        target: target.to_owned(),
    });
    let failed = failure_reason(workflow, task, events, new_reason);
    let failed = failed.map(|reason| TaskEvent::TaskFailed {
        number: task.number,
        title: task.title.clone(),
        reason,
        message: annotation_message(task),
        needs_person: now.is_some(),
    });
    let waits = new_reason.map(|reason| TaskEvent::TaskNeedsPerson {
        number: task.number,
        title: task.title.clone(),
        reason: reason.code(),
        message: annotation_message(task).filter(|_| matches!(reason, PersonReason::Trouble(_))),
    });
    [landed, failed, waits]
        .into_iter()
        .flatten()
        .map(|event| RecordedEvent { event, at: task.updated_at, version: task.version })
        .collect()
}

/// Why the work on the task failed with these events; `None` if it did not.
fn failure_reason(
    workflow: &Workflow,
    task: &TaskSnapshot,
    events: &[RecordedEvent],
    new_reason: Option<PersonReason>,
) -> Option<String> {
    if let Some(PersonReason::Trouble(kind)) = new_reason {
        return is_failure(kind).then(|| kind.code());
    }
    let moved =
        events.iter().any(|recorded| matches!(recorded.event, TaskEvent::TaskTransitioned { .. }));
    let state = workflow.state(&task.state).filter(|_| moved)?;
    let ends_in_failure = matches!(
        state.behaviour,
        StateBehaviour::Terminal { outcome: TerminalOutcome::Failure, .. }
    );
    ends_in_failure.then(|| ENDED.to_owned())
}

/// Whether the problem is the failure of something that was tried, and not a question or a missing permission.
fn is_failure(kind: AnnotationType) -> bool {
    use AnnotationType as Trouble;
    matches!(
        kind,
        Trouble::Stuck
            | Trouble::ExecutionFailed
            | Trouble::ExecutionLost
            | Trouble::GateExhausted
            | Trouble::ChecksBroken
            | Trouble::ReviewBlocked
            | Trouble::MergeConflict
            | Trouble::MergeChecksFailed
            | Trouble::PushFailed
            | Trouble::PullRequestFailed
            | Trouble::DependencyFailed
            | Trouble::WorkspaceError
            | Trouble::WorkspaceCorrupted
            | Trouble::SetupFailed
            | Trouble::EffectFailed
    )
}

fn annotation_message(task: &TaskSnapshot) -> Option<String> {
    task.annotation.as_ref().map(|annotation| annotation.message.clone())
}
