//! Secrets from a person or a pipe, never from an argument.

use std::io::{self, IsTerminal, Read, Write};

use forge_api::Secret;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::failure::Failure;

/// More than any password or token has.
const LONGEST: u64 = 4096;

/// Asks without echo on a terminal; reads all of standard input when it is piped.
pub(crate) async fn secret(question: &str) -> Result<Secret, Failure> {
    let hidden = io::stdin().is_terminal().then(|| Hidden::begin(question)).transpose()?;
    // On a thread of its own: an interrupt must be able to end the wait and bring the echo back.
    let asked = hidden.is_some();
    let reading = tokio::task::spawn_blocking(move || read(asked));
    let text = reading.await.map_err(|error| Failure::local(error.to_string()))??;
    drop(hidden);
    let secret = text.trim_end_matches(['\n', '\r']);
    if secret.is_empty() {
        return Err(Failure::usage("nothing was given")
            .hint("type it at the question, or pipe it in: forge login --with-token < FILE"));
    }
    Ok(Secret::new(secret))
}

fn read(line_only: bool) -> io::Result<String> {
    let mut text = String::new();
    if line_only {
        io::stdin().read_line(&mut text)?;
    } else {
        io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// A terminal that shows nothing of what is typed, until this value goes.
struct Hidden {
    before: Termios,
}

impl Hidden {
    fn begin(question: &str) -> io::Result<Self> {
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

impl Drop for Hidden {
    fn drop(&mut self) {
        // Nothing better can be done if the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
