//! Reads secrets from a user or a pipe, never from an argument.

use std::io::{self, IsTerminal, Read, Write};

use forge_api::SecretString;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::cli_error::CliError;

/// Longer than any password or token.
const LONGEST_SECRET: u64 = 4096;

/// Asks without echo on a terminal; reads all of standard input when it is piped.
pub(crate) async fn read_secret(question: &str) -> Result<SecretString, CliError> {
    let hidden =
        io::stdin().is_terminal().then(|| HiddenInput::disable_echo(question)).transpose()?;
    // Reads on a separate thread, so that an interrupt can end the wait and restore the echo.
    let asked = hidden.is_some();
    let reading = tokio::task::spawn_blocking(move || read_stdin(asked));
    let text = reading.await.map_err(|error| CliError::local(error.to_string()))??;
    drop(hidden);
    let secret = text.trim_end_matches(['\n', '\r']);
    if secret.is_empty() {
        return Err(CliError::usage("nothing was given")
            .hint("type it at the prompt, or pipe it in: forge login --with-token < FILE"));
    }
    Ok(SecretString::new(secret))
}

fn read_stdin(line_only: bool) -> io::Result<String> {
    let mut text = String::new();
    if line_only {
        io::stdin().read_line(&mut text)?;
    } else {
        io::stdin().lock().take(LONGEST_SECRET).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Turns off the terminal's echo until it is dropped.
struct HiddenInput {
    before: Termios,
}

impl HiddenInput {
    fn disable_echo(question: &str) -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        silent.local_modes.insert(LocalModes::ECHONL);
        let mut stderr = io::stderr().lock();
        write!(stderr, "{question}: ")?;
        stderr.flush()?;
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for HiddenInput {
    fn drop(&mut self) {
        // If the terminal is gone, nothing can be restored.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
