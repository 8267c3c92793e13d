//! Subtasks and ordered turns (T-17): creating a subtask, the parent's side and the turn's side.
//!
//! A turn runs in its parent's workspace, after the turns before it. The parent starts the next turn when its own work is done, and
//! waits at the gate until all turns have ended. A parent that moves on stops its turns first (`TaskActivity::EndingTurns`).
//!
//! All functions are pure. Parent and turn exchange effects (`TellParent`, `BeginTurn`, `EndTurns`): after a crash the pending
//! effect repeats the message, and a repeated message changes nothing.

mod ordered_turn;
mod parent_turns;
pub(crate) mod subtask;
