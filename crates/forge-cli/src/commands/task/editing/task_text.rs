//! The title and the description of a new task: from the command line, or from an editor.

use crate::cli_error::CliError;
use crate::commands::task::editing::task_document::TaskDocument;
use crate::context::CliContext;
use crate::terminal::text_editor::{EditedText, edit_text, is_interactive};
use crate::terminal::text_source;

const NOTE: &str = "Save and close the editor to create the task.";

/// When an editor opens for a new task. It always opens without a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditorUse {
    /// The user asked for it.
    Always,
    /// On a terminal without a description.
    WithoutDescription,
    /// Only without a title: an agent starts at once.
    WithoutTitle,
}

/// Where the text of a new task comes from.
#[derive(Debug)]
pub(crate) enum TaskText {
    /// The command line.
    Given(TaskDocument),
    /// An editor; its file is kept if the task cannot be created.
    Edited(Box<EditedText>),
}

impl TaskText {
    /// The given text, or what the user writes in an editor.
    pub(crate) async fn read(
        context: &CliContext,
        title: Option<String>,
        description: Option<String>,
        editor: EditorUse,
    ) -> Result<Self, CliError> {
        let opens_editor = match editor {
            EditorUse::Always => true,
            EditorUse::WithoutDescription => {
                description.is_none() && is_interactive() && !context.output.is_json()
            }
            EditorUse::WithoutTitle => false,
        };
        let opens_editor = opens_editor || title.is_none();
        let description = description.as_deref().map(text_source::read_text).transpose()?;
        let document = TaskDocument {
            title: title.unwrap_or_default(),
            description: description.unwrap_or_default(),
        };
        if !opens_editor {
            return Ok(Self::Given(document));
        }
        let text = document.to_text(NOTE);
        Ok(Self::Edited(Box::new(edit_text(context, "task", &text).await?)))
    }

    /// The title and the description.
    pub(crate) fn document(&self) -> Result<TaskDocument, CliError> {
        match self {
            Self::Given(document) => Ok(document.clone()),
            Self::Edited(edited) => TaskDocument::parse(&edited.text),
        }
    }

    /// Keeps the text that was typed, and adds the name of its file to the error.
    pub(crate) fn keep(self, error: CliError) -> CliError {
        match self {
            Self::Given(_) => error,
            Self::Edited(edited) => edited.keep(error),
        }
    }
}
