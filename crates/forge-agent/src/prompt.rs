//! What an agent is told.

use forge_domain::task::{Purpose, Snapshot};
use std::fmt::Write as _;

/// The text of one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt(String);

impl Prompt {
    /// The prompt for this task, for working on it or for judging it.
    pub fn build(task: &Snapshot, purpose: Purpose) -> Self {
        let mut text = format!("# {} {}\n", task.key(), task.title);
        if !task.description.trim().is_empty() {
            let _ = write!(text, "\n{}\n", task.description.trim_end());
        }
        match purpose {
            Purpose::Work => {
                for (n, handoff) in task.handoffs.iter().enumerate() {
                    let _ = write!(text, "\n## Handoff note {}\n\n{}\n", n + 1, handoff.message);
                }
                if let Some(feedback) = &task.feedback {
                    let _ = write!(
                        text,
                        "\n## What was wrong with the last attempt\n\n{}\n",
                        feedback.trim_end()
                    );
                }
            }
            Purpose::Judge => {
                if let Some(question) = &task.review_config.review_prompt {
                    let _ = write!(text, "\n## Review\n\n{}\n", question.trim_end());
                }
                text.push_str(
                    "\nEnd your answer with one JSON object: {\"verdict\": \"pass\" | \"fail\" | \"blocked\", \
                     \"feedback\": \"…\"}\n",
                );
            }
        }
        Self(text)
    }

    /// Words for an agent that already knows its task (E-7).
    pub fn follow_up(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
