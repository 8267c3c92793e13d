//! Executions: one run of an agent program on a task. Builds the environment and the prompt, starts and supervises the program, adopts it after
//! a restart, watches for silence, delivers messages, stops it, and commits its work.
//!
//! States of the effect's journal: absent → started (head before the program) → ended (with the observed outcome).
//!
//! Crash: before "started" the program has not run and is started. After "started" the next server adopts the living program, or reads its exit
//! record and output; it never starts the program again. After "ended" the outcome is final, and only journal entry, commit and report remain, each safe to repeat.

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
