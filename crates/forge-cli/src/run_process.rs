//! The process from start to exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use forge_domain::CanonicalJson;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::cli::CliCommand;
use crate::cli_error::CliError;
use crate::completion::completion_request::answer_completion;
use crate::context::CliContext;
use crate::environment::ProcessEnvironment;
use crate::exit_code::CliExit;
use crate::help::command_tree::parse_command_line;
use crate::run_command;
use crate::secret_environment::hide_secrets;
use crate::terminal::cli_output::CliOutput;
use crate::terminal::relative_time::CurrentTime;

/// Parses, runs, reports.
pub(crate) fn run_process() -> ExitCode {
    let mut environment = ProcessEnvironment::of_process();
    match answer_completion(&environment) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => return report_usage_error(&error),
    }
    let cli = match parse_command_line(ProcessEnvironment::arguments()) {
        Ok(cli) => cli,
        Err(error) => return report_usage_error(&error),
    };
    if cli.command.runs_server() {
        // Before the first thread starts: this may execute the program again.
        environment = hide_secrets(environment);
    }
    let output = CliOutput::new(&cli.options, &environment);
    let context =
        CliContext { options: cli.options, environment, output, now: CurrentTime::read() };
    let ended = runtime(&cli.command).map_err(CliError::from).and_then(|runtime| {
        let ended = runtime.block_on(run_command::run(&context, cli.command));
        // A thread that still waits for the terminal must not block the exit.
        runtime.shutdown_background();
        ended
    });
    let exit = match ended {
        Ok(()) => CliExit::Success,
        Err(failure) => {
            output.print_error(&failure);
            failure.exit()
        }
    };
    ExitCode::from(exit.code())
}

/// A client command uses one thread: it ends sooner than a second thread would start.
fn runtime(command: &CliCommand) -> io::Result<Runtime> {
    let mut builder = if command.runs_server() {
        Builder::new_multi_thread()
    } else {
        Builder::new_current_thread()
    };
    builder.enable_all().build()
}

/// Help and version succeed; other errors are printed in the requested form.
fn report_usage_error(error: &clap::Error) -> ExitCode {
    if ProcessEnvironment::is_json_requested() && error.use_stderr() {
        let message = error.render().to_string();
        let body = CanonicalJson::of(json!({
            "code": "usage", "message": message.trim_start_matches("error: ").trim_end(),
            "details": Value::Null, "request_id": "",
        }));
        let _ = writeln!(io::stderr().lock(), "{body}");
    } else {
        let _ = error.print();
    }
    let exit = if error.use_stderr() { CliExit::Usage } else { CliExit::Success };
    ExitCode::from(exit.code())
}
