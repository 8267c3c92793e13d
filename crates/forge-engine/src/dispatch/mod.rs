//! Dispatch (E-10, E-11): the scheduler assigns claimable tasks to agents. The domain plans a round; this folder loads its input, checks the machine's
//! resources, and claims like any client. Also the queue of waiting tasks and the explanation of why a task waits.
//!
//! Crash: a round has no state of its own; each claim is a committed command, and the next round plans from the database.

pub(crate) mod admission;
pub(crate) mod dispatch_input;
pub(crate) mod dispatch_round;
pub(crate) mod dispatch_settings;
pub(crate) mod explain_wait;
pub(crate) mod pause_dispatch;
pub(crate) mod pressure;
pub(crate) mod waiting_queue;

pub use crate::dispatch::admission::AdmissionLimits;
pub(crate) use crate::dispatch::dispatch_settings::put_dispatch_settings;
pub use crate::dispatch::explain_wait::WaitExplanation;
pub use crate::dispatch::pause_dispatch::DispatchState;
pub(crate) use crate::dispatch::waiting_queue::update_waiting_queue;
