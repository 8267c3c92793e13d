//! Edits, comments and archiving.

use crate::command::TaskPatch;
use crate::decide::create::{check_budget, check_description, check_title};
use crate::decide::decision_builder::DecisionBuilder;
use crate::{CommentId, Refusal, TaskEvent};

const LONGEST_COMMENT: usize = 100_000;

impl DecisionBuilder<'_> {
    pub(crate) fn update(&mut self, patch: &TaskPatch) -> Result<(), Refusal> {
        if let Some(version) = patch.version {
            self.check_version(version)?;
        }
        if let Some(title) = &patch.title {
            check_title(title)?;
        }
        if let Some(description) = &patch.description {
            check_description(description)?;
        }
        if let Some(budget) = &patch.budget {
            check_budget(budget)?;
        }
        if *patch != (TaskPatch { version: patch.version, ..TaskPatch::default() }) {
            self.emit(TaskEvent::TaskUpdated(Box::new(TaskPatch {
                version: None,
                ..patch.clone()
            })));
        }
        if patch.budget.is_some() { self.start_postponed_if_funded() } else { Ok(()) }
    }

    /// Hides or shows the task (T-15); repeating it changes nothing.
    pub(crate) fn archive(&mut self, hide: bool) {
        match (hide, self.task.archived_at) {
            (true, None) => self.emit(TaskEvent::TaskArchived),
            (false, Some(_)) => self.emit(TaskEvent::TaskUnarchived),
            _ => {}
        }
    }

    /// Adds a comment (T-21).
    pub(crate) fn comment(&mut self, body: &str, parent: Option<CommentId>) -> Result<(), Refusal> {
        let problem = if body.trim().is_empty() {
            "a comment needs text"
        } else if body.len() > LONGEST_COMMENT {
            "a comment has at most 100,000 bytes"
        } else {
            let comment = CommentId::new(self.derive_id());
            self.emit(TaskEvent::CommentCreated { comment, parent, body: body.to_owned() });
            return Ok(());
        };
        Err(Refusal::InvalidField { field: "body", problem: problem.to_owned() })
    }

    pub(crate) fn check_version(&self, expected: i64) -> Result<(), Refusal> {
        let actual = self.task.version;
        if expected == actual {
            return Ok(());
        }
        Err(Refusal::VersionConflict { noun: "task", expected, actual })
    }
}
