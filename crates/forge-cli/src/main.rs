//! The single binary `forge`.

mod cli;
mod cli_error;
mod commands;
mod context;
mod credentials;
mod environment;
mod exit_code;
mod logging;
mod lookup;
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
