//! A question before an action that a user may regret.

use std::io::{self, IsTerminal, Write};

use crate::cli_error::CliError;

/// Asks on a terminal; without a terminal `--yes` is required.
pub(crate) async fn confirm(question: &str) -> Result<(), CliError> {
    if !io::stdin().is_terminal() {
        return Err(CliError::usage(format!("{question} There is no terminal to ask on"))
            .hint("add --yes to confirm"));
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    drop(stderr);
    // Reads on a separate thread, so that an interrupt can end the wait.
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = reading.await.map_err(|error| CliError::local(error.to_string()))??;
    if matches!(line.trim(), "y" | "Y" | "yes" | "Yes") {
        return Ok(());
    }
    Err(CliError::usage("nothing was done").hint("answer y to continue"))
}
