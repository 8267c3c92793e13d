//! A task's title and description as one text for an editor.

use crate::cli_error::CliError;

/// Everything from this line on is not part of the task.
const SCISSORS: &str = "------------------------ >8 ------------------------";

/// The title and the description of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskDocument {
    pub(crate) title: String,
    pub(crate) description: String,
}

impl TaskDocument {
    /// The text for the editor: the title, an empty line, the description, and a note that is cut off again.
    pub(crate) fn to_text(&self, note: &str) -> String {
        let Self { title, description } = self;
        let description = description.trim_end();
        format!(
            "{title}\n\n{description}\n{SCISSORS}\nThe first line is the title, the rest the description, in \
             Markdown.\nThis line and those below it are ignored. {note}\n"
        )
    }

    /// Reads the text back.
    pub(crate) fn parse(text: &str) -> Result<Self, CliError> {
        let lines = text.lines().take_while(|line| line.trim_end() != SCISSORS);
        let mut lines = lines.skip_while(|line| line.trim().is_empty());
        let title = lines.next().unwrap_or_default().trim().to_owned();
        if title.is_empty() {
            return Err(CliError::usage("the text has no title; nothing was changed")
                .hint("write the title in the first line"));
        }
        let rest: Vec<&str> = lines.skip_while(|line| line.trim().is_empty()).collect();
        Ok(Self { title, description: rest.join("\n").trim_end().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_4_an_unchanged_text_is_the_same_task() {
        for description in ["", "One line", "# Heading\n\n- a\n- b", "  indented\nrest"] {
            let document =
                TaskDocument { title: "Fix it".to_owned(), description: description.to_owned() };
            assert_eq!(TaskDocument::parse(&document.to_text("")).expect("a task"), document);
        }
    }

    #[test]
    fn s_4_a_text_without_a_title_is_refused() {
        for text in ["", "\n \n", &format!("\n{SCISSORS}\nThe first line")] {
            assert!(TaskDocument::parse(text).is_err(), "{text}");
        }
    }
}
