//! The pure function `decide`: a command and the facts in, a [`Decision`] or a [`Refusal`](crate::Refusal) out. One
//! file per kind of command.

pub(crate) mod allowed_actions;
mod claim;
pub(crate) mod create;
mod decision;
mod decision_builder;
mod deletion;
mod dependency;
mod edit;
mod enter_state;
mod execution;
mod gate;
mod landing;
mod move_task;
mod turns;
mod workflow_adoption;
mod workspace_reset;

pub use crate::decide::allowed_actions::{TaskAction, TaskActionKind, allowed_actions};
pub use crate::decide::create::create;
pub use crate::decide::decision::{Decision, decide};
pub use crate::decide::deletion::{DeletionFacts, check_deletion};
pub use crate::decide::turns::subtask::{SubtaskRequest, attach_subtask};
pub use crate::decide::workflow_adoption::adopt_workflow;
