//! The demonstration: a temporary repository, scripted agents, and tasks that show what Forge does. The agents are
//! scripts, everything else is real: worktrees, commits, checks, a rejection, a conflict, landings.

mod demo_agents;
mod demo_board;
mod demo_creation;
mod demo_marker;
mod demo_scenes;
mod driver;
mod errors;
mod files;
mod report;

pub(crate) use crate::demo::demo_creation::create_demo;
pub(crate) use crate::demo::driver::{drive, resume};
pub(crate) use crate::demo::report::report;
