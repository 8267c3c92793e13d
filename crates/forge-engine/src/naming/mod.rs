//! What a task's branch and directory are called (T-24, W-3).

mod slug;
mod template;
mod templates;
mod words;

pub(crate) use templates::Templates;
pub(crate) use words::Words;
