//! Shows long texts in the user's pager.

use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::cli_error::CliError;
use crate::context::CliContext;

/// Options of `less`, unless the user set some: end if the text fits a screen, and keep its colours.
const LESS_OPTIONS: &str = "FRX";

/// Prints a text; on a terminal through the program in `PAGER`, if the text is longer than the screen.
pub(crate) fn print_long_text(context: &CliContext, text: &str) -> Result<(), CliError> {
    let height = terminal_height().filter(|_| !context.options.no_pager);
    let is_long = height.is_some_and(|height| text.lines().count() >= height);
    let Some(program) = pager_program(context).filter(|_| is_long) else {
        return context.output.print_raw(text);
    };
    match run_pager(context, &program, text) {
        Ok(()) => Ok(()),
        // The text matters more than the program that shows it.
        Err(_) => context.output.print_raw(text),
    }
}

/// The command of the pager; `None` if the user wants none.
fn pager_program(context: &CliContext) -> Option<String> {
    let named = context.environment.get("PAGER").and_then(|value| value.to_str());
    match named {
        Some("cat") => None,
        Some(program) => Some(program.to_owned()),
        None => context.environment.find_program("less").map(|_| "less".to_owned()),
    }
}

/// Runs the pager to its end. It blocks this thread on purpose: an interrupt is for the pager.
#[expect(
    clippy::disallowed_methods,
    reason = "the pager is the user's own program on the user's terminal"
)]
fn run_pager(context: &CliContext, program: &str, text: &str) -> io::Result<()> {
    let mut command = Command::new("sh");
    command.args(["-c", program]).stdin(Stdio::piped());
    if context.environment.get("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    let mut pager = command.spawn()?;
    if let Some(mut input) = pager.stdin.take() {
        // A user who leaves the pager early closes the pipe.
        let _ = input.write_all(text.as_bytes());
    }
    pager.wait().map(drop)
}

fn terminal_height() -> Option<usize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(&stdout).ok()?;
    (size.ws_row > 0).then(|| usize::from(size.ws_row))
}
