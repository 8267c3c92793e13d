//! The process from its first line to its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use forge_domain::Canonical;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::cli::{Cli, Command};
use crate::context::Context;
use crate::dispatch;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;

/// Parses, runs, reports.
pub(crate) fn run() -> ExitCode {
    let environment = Environment::of_process();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Output::new(&cli.options, &environment);
    let context = Context { options: cli.options, environment, output };
    let ended = runtime(&cli.command).map_err(Failure::from).and_then(|runtime| {
        let ended = runtime.block_on(dispatch::run(&context, cli.command));
        // A thread that still waits for the terminal must not keep the process.
        runtime.shutdown_background();
        ended
    });
    let exit = match ended {
        Ok(()) => Exit::Success,
        Err(failure) => {
            output.failure(&failure);
            failure.exit()
        }
    };
    ExitCode::from(exit.code())
}

/// A call to the server is over sooner than a second thread would be started.
fn runtime(command: &Command) -> io::Result<Runtime> {
    let mut builder = if command.runs_server() {
        Builder::new_multi_thread()
    } else {
        Builder::new_current_thread()
    };
    builder.enable_all().build()
}

/// Help and version end well; anything else is said in the form that was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    if Environment::asks_for_json() && error.use_stderr() {
        let message = error.render().to_string();
        let body = Canonical::of(json!({
            "code": "usage", "message": message.trim_start_matches("error: ").trim_end(),
            "details": Value::Null, "request_id": "",
        }));
        let _ = writeln!(io::stderr().lock(), "{body}");
    } else {
        let _ = error.print();
    }
    let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
    ExitCode::from(exit.code())
}
