//! `forge task`: a file per action.

mod aftermath;
mod assign;
mod claim;
mod command;
mod comment;
mod depend;
mod diff;
mod follow_up;
mod handoff;
mod history;
mod last_run;
mod list;
mod log;
mod log_line;
mod move_to;
mod new;
mod outcome;
mod printed_log;
mod prompt;
mod pulse;
mod rescue;
mod review;
mod reviewed;
mod shelf;
mod show;
mod steer;
mod steps;
mod target;

pub(crate) use command::Task;
pub(crate) use diff::painted;
