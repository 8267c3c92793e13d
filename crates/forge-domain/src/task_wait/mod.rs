//! What a task waits for in every state, and the next steps (T-28). They are derived in one place from the snapshot and
//! its workflow, so that the list of tasks that need a person, `forge why` and the web page agree.

mod commands;
mod guidance;
mod next_step;
mod notification;
mod person_reason;
mod wait;

pub use crate::task_wait::commands::TaskCommandLines;
pub use crate::task_wait::next_step::NextStep;
pub use crate::task_wait::notification::notification_events;
pub use crate::task_wait::person_reason::PersonReason;
pub use crate::task_wait::wait::{TaskWait, WaitTarget};
