//! What lists need of events: executions, reviews, transitions, comments. Everything here can be made again from the
//! events.

use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::{Actor, Event, Recorded};

use super::receipts::{self, Receipt};
use super::reviews::{self, Decided, Outcome, ReviewStatus};
use super::transitions::{self, Moved};
use super::{comments, executions, ports};
use crate::errors::StoreError;
use crate::tx::Tx;

/// Writes what the events of one command mean for the lists. `task` is the snapshot after all of them.
pub async fn record(
    tx: &mut Tx,
    task: &Snapshot,
    events: &[Recorded],
    actor: &Actor,
) -> Result<(), StoreError> {
    for Recorded { event, at, .. } in events {
        let at = *at;
        match event {
            Event::TaskTransitioned { from, to, rejection, reason, .. } => {
                let moved = Moved { from, to, rejection: *rejection, reason: reason.as_deref() };
                transitions::insert(tx, task.id, &moved, actor, at).await?;
            }
            Event::TaskAdopted { from, to, .. } if from != to => {
                let reason = Some("the project's workflow was replaced");
                let moved = Moved { from, to, rejection: false, reason };
                transitions::insert(tx, task.id, &moved, actor, at).await?;
            }
            Event::ExecutionCreated(run) => {
                executions::opened(tx, task.id, task.project_id, run, at).await?;
            }
            Event::ExecutionStarted { execution, process } => {
                executions::started(tx, *execution, process.as_ref(), at).await?;
            }
            Event::ExecutionFinished { execution, result } => {
                executions::finished(tx, *execution, result, at).await?;
            }
            Event::ReviewStarted { review, attempt } => {
                reviews::started(tx, task.id, *review, *attempt, at).await?;
            }
            Event::ReviewChecked { review, commit, results, receipt, taken_from, .. } => {
                reviews::checked(tx, *review, commit, results, taken_from.as_ref()).await?;
                if let (Some(key), Some(repo_id), None) = (receipt, task.repo_id, taken_from) {
                    let (key, commit, results) = (key.clone(), commit.clone(), results.clone());
                    let review_id = Some(*review);
                    let passed = Receipt { repo_id, key, commit, review_id, results, at };
                    receipts::put(tx, &passed).await?;
                }
            }
            Event::ReviewFinished { review, verdict, counted, by } => {
                let outcome = Outcome {
                    verdict: verdict.as_ref(),
                    without: without_verdict(events),
                    counted: *counted,
                    by: *by,
                };
                reviews::finished(tx, *review, &outcome, at).await?;
            }
            Event::ReviewApproved { attempt, by, reason, overrides } => {
                let (by, reason, overrides) = (*by, reason.clone(), *overrides);
                let approved = Decided { by, reason, overrides, at };
                reviews::approved(tx, task.id, *attempt, &approved).await?;
            }
            Event::CommentCreated { comment, parent, body } => {
                comments::insert(tx, task.id, *comment, *parent, actor, body, at).await?;
            }
            Event::WorkspaceCleaned { .. } => {
                ports::release(tx, task.id, 0).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// A review that ends without a verdict was in trouble, which the same command then says, or was overtaken.
fn without_verdict(events: &[Recorded]) -> ReviewStatus {
    let trouble = events.iter().any(|recorded| {
        matches!(
            &recorded.event,
            Event::TaskAnnotated { annotation: Some(annotation) }
                if matches!(annotation.kind, AnnotationType::ChecksBroken | AnnotationType::ReviewBlocked)
        )
    });
    if trouble { ReviewStatus::Blocked } else { ReviewStatus::Superseded }
}
