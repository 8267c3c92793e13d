//! Attempts at a gate.

use forge_api::{
    NewVerdict, Review, ReviewDecision, ReviewOrigin, ReviewStatus, StepOutcome, StepResult,
    Verdict,
};
use forge_domain::{CheckOutcome, CheckResult, ReviewId};
use forge_store::tables::reviews;

use super::assignee::assignee;
use super::time::rfc3339;

/// A review as clients see it.
pub(crate) fn review(row: reviews::Review) -> Review {
    let (verdict, feedback) = match row.verdict {
        Some(forge_domain::Verdict::Pass { feedback }) => (Some(Verdict::Pass), feedback),
        Some(forge_domain::Verdict::Fail { feedback }) => (Some(Verdict::Fail), Some(feedback)),
        Some(forge_domain::Verdict::Blocked { feedback }) => {
            (Some(Verdict::Blocked), Some(feedback))
        }
        None => (None, None),
    };
    Review {
        id: row.id.uuid(),
        task_id: row.task_id.uuid(),
        status: match row.status {
            reviews::ReviewStatus::Running => ReviewStatus::Running,
            reviews::ReviewStatus::Passed => ReviewStatus::Passed,
            reviews::ReviewStatus::Failed => ReviewStatus::Failed,
            reviews::ReviewStatus::Blocked => ReviewStatus::Blocked,
            reviews::ReviewStatus::Superseded => ReviewStatus::Superseded,
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

/// A verdict as the rules know it.
pub(crate) fn asked(asked: NewVerdict) -> forge_domain::Verdict {
    let words = asked.feedback.filter(|text| !text.trim().is_empty());
    match asked.verdict {
        Verdict::Pass => forge_domain::Verdict::Pass { feedback: words },
        Verdict::Fail => forge_domain::Verdict::Fail { feedback: words.unwrap_or_default() },
        Verdict::Blocked => forge_domain::Verdict::Blocked { feedback: words.unwrap_or_default() },
    }
}
