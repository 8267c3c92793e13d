//! `forge task`: one file per action.

pub(crate) mod assign;
pub(crate) mod cancel_archive;
pub(crate) mod claim;
pub(crate) mod comment;
pub(crate) mod depend;
pub(crate) mod diff;
pub(crate) mod editing;
pub(crate) mod effects;
pub(crate) mod execution;
pub(crate) mod gate;
pub(crate) mod handoff;
pub(crate) mod history;
pub(crate) mod inside_execution;
pub(crate) mod list;
pub(crate) mod move_to;
pub(crate) mod new;
pub(crate) mod own_task;
pub(crate) mod place;
pub(crate) mod progress;
pub(crate) mod questions;
pub(crate) mod show;
pub(crate) mod task_outcome;
pub(crate) mod task_subcommand;
pub(crate) mod task_target;

pub(crate) use crate::commands::task::diff::show_patch;
pub(crate) use crate::commands::task::task_subcommand::TaskSubcommand;
