//! A question before something that a person may regret.

use std::io::{self, IsTerminal, Write};

use crate::failure::Failure;

/// Asks on a terminal; elsewhere nobody can answer, so `--yes` is needed.
pub(crate) async fn confirm(question: &str) -> Result<(), Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(format!("{question} Nobody is here to answer"))
            .hint("say --yes if you mean it"));
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    drop(stderr);
    // On a thread of its own: an interrupt must be able to end the wait.
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = reading.await.map_err(|error| Failure::local(error.to_string()))??;
    if matches!(line.trim(), "y" | "Y" | "yes" | "Yes") {
        return Ok(());
    }
    Err(Failure::usage("nothing was done").hint("answer y to go on"))
}
