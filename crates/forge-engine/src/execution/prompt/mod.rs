//! Prompts of agents (E-2): the project's templates, or the built-in ones, filled with the task, its dependencies, subtasks, the failed check
//! and, for a judge, the patch. Preview and execution use the same text. Pure reads: a crash leaves nothing.

pub(crate) mod own_template;
pub(crate) mod prompt_preview;

pub(crate) use crate::execution::prompt::own_template::prompt_problems;
pub use crate::execution::prompt::prompt_preview::PromptPreview;
