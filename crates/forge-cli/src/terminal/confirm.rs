//! A question before an action that a user may regret.

use std::io::{self, IsTerminal, Write};

use crate::cli_error::CliError;

/// Asks on a terminal; without a terminal `--yes` is required.
pub(crate) async fn confirm(question: &str) -> Result<(), CliError> {
    if !io::stdin().is_terminal() {
        return Err(CliError::usage(format!("{question} There is no terminal to ask on"))
            .hint("add --yes to confirm"));
    }
    if is_yes(&read_answer(&format!("{question} [y/N] ")).await?) {
        return Ok(());
    }
    Err(CliError::usage("nothing was done").hint("answer y to continue"))
}

/// Asks on a terminal whether to do what is usually wanted: an empty answer means yes.
pub(crate) async fn ask_yes(question: &str) -> Result<bool, CliError> {
    let answer = read_answer(&format!("{question} [Y/n] ")).await?;
    // The end of the input answers nothing.
    Ok(is_yes(&answer) || answer == "\n")
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim(), "y" | "Y" | "yes" | "Yes")
}

async fn read_answer(question: &str) -> Result<String, CliError> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question}")?;
    stderr.flush()?;
    drop(stderr);
    // Reads on a separate thread, so that an interrupt can end the wait.
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    Ok(reading.await.map_err(|error| CliError::local(error.to_string()))??)
}
