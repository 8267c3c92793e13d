//! Converts reviews.

use forge_api::{
    NewVerdict, Review, ReviewDecision, ReviewOrigin, ReviewStatus, ReviewVerdict, StepOutcome,
    StepResult,
};
use forge_domain::{CheckOutcome, CheckResult, ReviewId};
use forge_store::tables::reviews;

use crate::convert::tasks::assignee::assignee;
use crate::convert::time::rfc3339;

/// Converts a review row.
pub(crate) fn review(row: reviews::ReviewRow) -> Review {
    let (verdict, feedback) = match row.verdict {
        Some(forge_domain::Verdict::Pass { feedback }) => (Some(ReviewVerdict::Pass), feedback),
        Some(forge_domain::Verdict::Fail { feedback }) => {
            (Some(ReviewVerdict::Fail), Some(feedback))
        }
        Some(forge_domain::Verdict::Blocked { feedback }) => {
            (Some(ReviewVerdict::Blocked), Some(feedback))
        }
        None => (None, None),
    };
    Review {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        status: match row.status {
            reviews::ReviewRowStatus::Running => ReviewStatus::Running,
            reviews::ReviewRowStatus::Passed => ReviewStatus::Passed,
            reviews::ReviewRowStatus::Failed => ReviewStatus::Failed,
            reviews::ReviewRowStatus::Blocked => ReviewStatus::Blocked,
            reviews::ReviewRowStatus::NoChanges => ReviewStatus::NoChanges,
            reviews::ReviewRowStatus::Superseded => ReviewStatus::Superseded,
        },
        attempt_number: row.attempt,
        commit: row.commit,
        step_results: row.results.into_iter().map(step_result).collect(),
        taken_from: row.taken_from.map(|origin| ReviewOrigin {
            review_id: origin.review.map(ReviewId::uuid),
            at: rfc3339(origin.at),
        }),
        verdict,
        feedback,
        counted: row.counted,
        decided: row.decided.map(|decided| ReviewDecision {
            by: assignee(decided.by),
            reason: decided.reason,
            overrides: decided.overrides,
            at: rfc3339(decided.at),
        }),
        started_at: rfc3339(row.started_at),
        finished_at: row.finished_at.map(rfc3339),
    }
}

fn step_result(result: CheckResult) -> StepResult {
    StepResult {
        command: result.command,
        exit_code: result.exit_code,
        outcome: match result.outcome {
            CheckOutcome::Passed => StepOutcome::Passed,
            CheckOutcome::Failed => StepOutcome::Failed,
            CheckOutcome::TimedOut => StepOutcome::TimedOut,
            CheckOutcome::Stopped => StepOutcome::Stopped,
            CheckOutcome::Quarantined => StepOutcome::Quarantined,
        },
        duration_ms: result.duration_ms,
        output_tail: result.output_tail,
        log_from: result.log.from,
        log_to: result.log.to,
    }
}

/// Converts a verdict to the domain type.
pub(crate) fn domain_verdict(asked: NewVerdict) -> forge_domain::Verdict {
    let words = asked.feedback.filter(|text| !text.trim().is_empty());
    match asked.verdict {
        ReviewVerdict::Pass => forge_domain::Verdict::Pass { feedback: words },
        ReviewVerdict::Fail => forge_domain::Verdict::Fail { feedback: words.unwrap_or_default() },
        ReviewVerdict::Blocked => {
            forge_domain::Verdict::Blocked { feedback: words.unwrap_or_default() }
        }
    }
}
