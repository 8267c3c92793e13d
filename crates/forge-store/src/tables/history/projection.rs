//! Projection of events into the tables that lists read: executions, reviews, transitions, comments, questions. They can be
//! rebuilt from the events.

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{Actor, RecordedEvent, TaskEvent};

use crate::store_error::StoreError;
use crate::tables::execution::{executions, ports};
use crate::tables::gate::receipts;
use crate::tables::gate::receipts::ReceiptRow;
use crate::tables::gate::reviews;
use crate::tables::gate::reviews::{AttemptDecision, ReviewConclusion, ReviewRowStatus};
use crate::tables::history::comments;
use crate::tables::history::questions;
use crate::tables::history::questions::QuestionAnswer;
use crate::tables::history::transitions;
use crate::tables::history::transitions::StateMove;
use crate::tx::Tx;

/// Updates the list tables from the events of one command. `task` is the snapshot after all of them.
pub async fn record(
    tx: &mut Tx,
    task: &TaskSnapshot,
    events: &[RecordedEvent],
    actor: &Actor,
) -> Result<(), StoreError> {
    for RecordedEvent { event, at, .. } in events {
        let at = *at;
        match event {
            TaskEvent::TaskTransitioned { from, to, rejection, reason, .. } => {
                let moved =
                    StateMove { from, to, rejection: *rejection, reason: reason.as_deref() };
                transitions::insert(tx, task.id, &moved, actor, at).await?;
            }
            TaskEvent::TaskAdopted { from, to, .. } if from != to => {
                let reason = Some("the project's workflow was replaced");
                let moved = StateMove { from, to, rejection: false, reason };
                transitions::insert(tx, task.id, &moved, actor, at).await?;
            }
            TaskEvent::ExecutionCreated(run) => {
                executions::record_opened(tx, task.id, task.project_id, run, at).await?;
            }
            TaskEvent::ExecutionStarted { execution, process } => {
                executions::record_started(tx, *execution, process.as_ref(), at).await?;
            }
            TaskEvent::ExecutionFinished { execution, result } => {
                executions::record_finished(tx, *execution, result, at).await?;
            }
            TaskEvent::ReviewStarted { review, attempt } => {
                reviews::record_started(tx, task.id, *review, *attempt, at).await?;
            }
            TaskEvent::ReviewChecked { review, commit, results, receipt, taken_from, .. } => {
                reviews::record_checked(tx, *review, commit, results, taken_from.as_ref()).await?;
                if let (Some(key), Some(repo_id), None) = (receipt, task.repo_id, taken_from) {
                    let (key, commit, results) = (key.clone(), commit.clone(), results.clone());
                    let review_id = Some(*review);
                    let passed = ReceiptRow { repo_id, key, commit, review_id, results, at };
                    receipts::put(tx, &passed).await?;
                }
            }
            TaskEvent::ReviewFinished { review, verdict, counted, by } => {
                let outcome = ReviewConclusion {
                    verdict: verdict.as_ref(),
                    status_without_verdict: without_verdict(events),
                    counted: *counted,
                    by: *by,
                };
                reviews::record_finished(tx, *review, &outcome, at).await?;
            }
            TaskEvent::ReviewApproved { attempt, by, reason, overrides } => {
                let (by, reason, overrides) = (*by, reason.clone(), *overrides);
                let approved = AttemptDecision { by, reason, overrides, at };
                reviews::record_approved(tx, task.id, *attempt, &approved).await?;
            }
            TaskEvent::CommentCreated { comment, parent, body } => {
                comments::insert(tx, task.id, *comment, *parent, actor, body, at).await?;
            }
            TaskEvent::QuestionAsked { question } => {
                questions::record_asked(tx, task.id, question).await?;
            }
            TaskEvent::QuestionAnswered { number, answer, .. } => {
                let answer = QuestionAnswer { text: answer.clone(), by: actor.clone(), at };
                questions::record_answered(tx, task.id, *number, &answer).await?;
            }
            TaskEvent::QuestionsClosed { numbers } => {
                questions::record_closed(tx, task.id, numbers, at).await?;
            }
            TaskEvent::WorkspaceCleaned { .. } => {
                ports::release(tx, task.id, 0).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Status of a review that ended without a verdict: an annotation of the same command gives the reason, else it was
/// superseded.
fn without_verdict(events: &[RecordedEvent]) -> ReviewRowStatus {
    let status = events.iter().find_map(|recorded| match &recorded.event {
        TaskEvent::TaskAnnotated { annotation: Some(annotation) } => match annotation.kind {
            AnnotationType::ChecksBroken | AnnotationType::ReviewBlocked => {
                Some(ReviewRowStatus::Blocked)
            }
            AnnotationType::NoChanges => Some(ReviewRowStatus::NoChanges),
            _ => None,
        },
        _ => None,
    });
    status.unwrap_or(ReviewRowStatus::Superseded)
}
