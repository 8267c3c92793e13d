//! Work without changes stops at the gate until a person decides (E-6).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::AnnotationType;
use crate::{RefusedTool, ReviewId, TaskEvent};

impl DecisionBuilder<'_> {
    /// Ends the attempt without a verdict and does not count it.
    pub(crate) fn stop_unchanged_review(
        &mut self,
        review: ReviewId,
        commit: &str,
        answer: &str,
        refused: &[RefusedTool],
    ) {
        if self.task.review != Some(review) {
            return;
        }
        self.emit(TaskEvent::ReviewChecked {
            review,
            commit: commit.to_owned(),
            results: Vec::new(),
            judged: false,
            receipt: None,
            taken_from: None,
        });
        self.close_review(None, false, None);
        let tools: Vec<&str> = refused.iter().map(|refused| refused.tool.as_str()).collect();
        let because = match tools.as_slice() {
            [] => String::new(),
            tools => format!(" (its policy refused it: {})", tools.join(", ")),
        };
        let message = format!(
            "the work has no changes{because}; read the last answer, then approve the attempt or send it back"
        );
        let details = serde_json::json!({ "answer": answer, "refused": refused });
        self.annotate(AnnotationType::NoChanges, message, details);
    }

    /// Whether the last attempt stopped because it has no changes.
    pub(crate) fn stopped_without_changes(&self) -> bool {
        let trouble = self.task.annotation.as_ref().map(|note| note.kind);
        trouble == Some(AnnotationType::NoChanges)
    }
}
