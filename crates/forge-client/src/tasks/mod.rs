//! Client methods for tasks and their subtasks, comments, questions and dependencies.
//!
//! One method per endpoint. The client keeps no state: a call either returns the server's answer or a `ClientError`.
//! A call that fails after it was sent may still have been applied; read the task again before repeating it.

mod comment;
mod dependency;
mod question;
mod task;

pub use crate::tasks::comment::CommentClient;
pub use crate::tasks::dependency::DependencyClient;
pub use crate::tasks::question::QuestionClient;
pub use crate::tasks::task::{TaskClient, TransitionWait};
