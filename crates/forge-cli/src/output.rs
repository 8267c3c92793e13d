//! What the command says, and in which form.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::cli::{ColorChoice, GlobalOptions};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::paint::{Ink, Paint};
use crate::table::Table;

/// Standard output for results, standard error for what is said about them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    out: Paint,
    err: Paint,
}

impl Output {
    pub(crate) fn new(options: &GlobalOptions, environment: &Environment) -> Self {
        let wanted = |is_terminal: bool| match options.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let dumb = environment.get("TERM").is_some_and(|term| term == "dumb");
                is_terminal && !dumb && environment.get("NO_COLOR").is_none()
            }
        };
        Self {
            json: options.json,
            quiet: options.quiet,
            out: Paint(wanted(io::stdout().is_terminal())),
            err: Paint(wanted(io::stderr().is_terminal())),
        }
    }

    /// Whether results are JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Whether something may move on the screen.
    pub(crate) fn is_lively(self) -> bool {
        !self.json && !self.quiet && io::stderr().is_terminal()
    }

    /// Colours a piece of a result.
    pub(crate) fn ink(self, ink: Ink, text: &str) -> String {
        self.out.text(ink, text)
    }

    /// The result: the document with `--json`, else the text that `text` makes.
    pub(crate) fn result<T: Serialize>(
        self,
        document: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if !self.json {
            return self.text(&text());
        }
        let mut document = serde_json::to_string_pretty(document)
            .map_err(|error| Failure::local(error.to_string()))?;
        document.push('\n');
        self.raw(&document)
    }

    /// The result as a table.
    pub(crate) fn table<T: Serialize>(self, document: &T, table: &Table) -> Result<(), Failure> {
        self.result(document, || table.render(self.out, terminal_width()))
    }

    /// Text of a result, with a line end.
    pub(crate) fn text(self, text: &str) -> Result<(), Failure> {
        if text.is_empty() || text.ends_with('\n') {
            self.raw(text)
        } else {
            self.raw(&format!("{text}\n"))
        }
    }

    /// Text of a result as it is.
    pub(crate) fn raw(self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        Ok(stdout.flush()?)
    }

    /// A remark for people, such as what to do next.
    pub(crate) fn note(self, text: &str) {
        if !self.json && !self.quiet {
            self.say(text);
        }
    }

    /// The end of a command that did not work.
    pub(crate) fn failure(self, failure: &Failure) {
        if self.json {
            if let Some(body) = failure.body() {
                self.say(&body.to_string());
            }
        } else if let Some((message, hints)) = failure.lines() {
            self.say(&format!("{} {message}", self.err.text(Ink::Bad, "error:")));
            for hint in hints {
                self.say(&format!("{} {hint}", self.err.text(Ink::Doubtful, "hint:")));
            }
        }
    }

    fn say(self, text: &str) {
        // Nobody is left to hear that standard error is closed.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

fn terminal_width() -> Option<usize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(&stdout).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}
