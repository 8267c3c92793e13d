//! One file or folder per command.

pub(crate) mod account;
pub(crate) mod agent;
pub(crate) mod backup;
pub(crate) mod board;
pub(crate) mod budget;
pub(crate) mod completions;
pub(crate) mod conflicts;
pub(crate) mod demo;
pub(crate) mod dispatch;
pub(crate) mod doctor;
pub(crate) mod inbox;
pub(crate) mod init;
pub(crate) mod journal;
pub(crate) mod man;
pub(crate) mod open;
pub(crate) mod project;
pub(crate) mod repo;
pub(crate) mod serve;
pub(crate) mod task;
pub(crate) mod train;
pub(crate) mod usage;
pub(crate) mod verdict;
pub(crate) mod webhook;
pub(crate) mod why;
pub(crate) mod workflow;
pub(crate) mod workspace;
