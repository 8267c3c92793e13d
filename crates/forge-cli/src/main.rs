//! The one binary: `forge`.

mod cli;
mod commands;
mod confirm;
mod context;
mod credentials;
mod dispatch;
mod environment;
mod exit;
mod failure;
mod logging;
mod lookup;
mod money;
mod output;
mod paint;
mod process;
mod prompt;
mod repository;
mod signals;
mod table;
mod task_ref;
mod text_source;
mod words;

fn main() -> std::process::ExitCode {
    process::run()
}
