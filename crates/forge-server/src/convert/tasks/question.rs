//! Converts questions on a task (T-27).

use forge_api::{Question, QuestionStatus};
use forge_domain::task::TaskSnapshot;
use forge_store::tables::questions::QuestionRow;

use crate::convert::accounts::actor::actor;
use crate::convert::time::rfc3339;

/// Converts a question row.
pub(crate) fn question(row: QuestionRow) -> Question {
    let status = match (&row.answer, row.closed_at) {
        (Some(_), _) => QuestionStatus::Answered,
        (None, Some(_)) => QuestionStatus::Closed,
        (None, None) => QuestionStatus::Open,
    };
    let ended_at = row.answer.as_ref().map(|answer| answer.at).or(row.closed_at);
    Question {
        task_id: row.task_id.uuid(),
        number: row.number,
        text: row.text,
        status,
        asked_by: actor(&row.asked_by),
        execution_id: row.execution_id.map(|id| id.uuid()),
        asked_at: rfc3339(row.asked_at),
        answered_by: row.answer.as_ref().map(|answer| actor(&answer.by)),
        answer: row.answer.map(|answer| answer.text),
        ended_at: ended_at.map(rfc3339),
    }
}

/// Converts the open questions of a task.
pub(crate) fn open_questions(task: &TaskSnapshot) -> Vec<Question> {
    let convert = |open: &forge_domain::task::OpenQuestion| Question {
        task_id: task.id.uuid(),
        number: open.number,
        text: open.text.clone(),
        status: QuestionStatus::Open,
        asked_by: actor(&open.by),
        execution_id: open.execution.map(|id| id.uuid()),
        asked_at: rfc3339(open.at),
        answer: None,
        answered_by: None,
        ended_at: None,
    };
    task.questions.iter().map(convert).collect()
}
