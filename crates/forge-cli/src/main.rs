//! The single binary `forge`.

mod cli;
mod cli_error;
mod commands;
mod completion;
mod context;
mod credentials;
mod environment;
mod exit_code;
mod help;
mod holder_names;
mod logging;
mod lookup;
mod project_names;
mod repository;
mod run_command;
mod run_process;
mod secret_environment;
mod stop_signals;
mod task_ref;
mod terminal;

fn main() -> std::process::ExitCode {
    crate::run_process::run_process()
}
