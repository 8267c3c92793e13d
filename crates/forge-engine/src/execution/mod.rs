//! Executions: an execution is one run of an agent program on a task. This folder builds the environment and the
//! prompt, starts and supervises the program, adopts it after a restart, watches for silence, delivers messages, stops
//! the program, and commits its work.
//!
//! States of the effect's journal: absent → started (with the head before the program) → ended (with the observed
//! outcome).
//!
//! Crash: before "started" the program has not run, and the retry starts it. After "started" no attempt starts it
//! again: the next server adopts the program if it still runs, or reads its exit record and output. After "ended" the
//! outcome is final; the journal entry, the commit and the report remain, and each can be repeated.

pub(crate) mod adopt;
pub(crate) mod agent_program;
pub(crate) mod execution_env;
pub(crate) mod executions;
pub(crate) mod file_activity;
pub(crate) mod follow_up;
pub(crate) mod observed_outcome;
pub(crate) mod ordered_turns;
pub(crate) mod prompt;
pub(crate) mod run_execution;
pub(crate) mod secrets;
pub(crate) mod server_environment;
pub(crate) mod silence_limits;
pub(crate) mod silence_watch;
pub(crate) mod squash_turn;
pub(crate) mod steer;
pub(crate) mod stop;
pub(crate) mod supervision;
pub(crate) mod transcript;
