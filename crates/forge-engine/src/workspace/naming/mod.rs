//! Names of a task's branch and directory (T-24, W-3), from the templates in the project's settings. Templates are checked with extreme
//! values when they are saved, so that rendering cannot fail later. Pure: a crash leaves nothing.

pub(crate) mod name_template;
pub(crate) mod name_templates;
pub(crate) mod name_values;
pub(crate) mod slug;

pub(crate) use crate::workspace::naming::name_templates::NameTemplates;
pub(crate) use crate::workspace::naming::name_values::NameValues;
