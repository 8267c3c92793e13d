//! `forge task edit` and `forge task delete`, and the text of a task in an editor.
//!
//! The text is a file in the temporary directory while the editor runs. If the server refuses the change, or the command
//! is interrupted, the file stays, and the error names it.

pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod task_document;
pub(crate) mod task_text;
