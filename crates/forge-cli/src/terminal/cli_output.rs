//! Prints results and messages in the requested form.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::cli::{ColorChoice, GlobalOptions};
use crate::cli_error::CliError;
use crate::environment::ProcessEnvironment;
use crate::terminal::text_style::{ColorOutput, TextStyle};
use crate::terminal::text_table::TextTable;

/// Standard output for results, standard error for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CliOutput {
    json: bool,
    quiet: bool,
    out: ColorOutput,
    err: ColorOutput,
}

impl CliOutput {
    pub(crate) fn new(options: &GlobalOptions, environment: &ProcessEnvironment) -> Self {
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
            out: ColorOutput(wanted(io::stdout().is_terminal())),
            err: ColorOutput(wanted(io::stderr().is_terminal())),
        }
    }

    /// Output without colours, for tests.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self { json: false, quiet: false, out: ColorOutput(false), err: ColorOutput(false) }
    }

    /// Whether results are JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Whether results have colours.
    pub(crate) fn has_colors(self) -> bool {
        self.out.0
    }

    /// Whether animated progress may be shown.
    pub(crate) fn is_animated(self) -> bool {
        !self.json && !self.quiet && io::stderr().is_terminal()
    }

    /// Applies a style to a part of a result.
    pub(crate) fn styled(self, ink: TextStyle, text: &str) -> String {
        self.out.styled(ink, text)
    }

    /// Prints the result: the document with `--json`, otherwise the text from `text`.
    pub(crate) fn print_result<T: Serialize>(
        self,
        document: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), CliError> {
        if !self.json {
            return self.print_text(&text());
        }
        let mut document = serde_json::to_string_pretty(document)
            .map_err(|error| CliError::local(error.to_string()))?;
        document.push('\n');
        self.print_raw(&document)
    }

    /// Prints the result as a table; nothing if it has no rows.
    pub(crate) fn print_table<T: Serialize>(
        self,
        document: &T,
        table: &TextTable,
    ) -> Result<(), CliError> {
        self.print_result(document, || self.render_table(table))
    }

    /// A table as text, for a result that consists of several parts.
    pub(crate) fn render_table(self, table: &TextTable) -> String {
        if table.is_empty() { String::new() } else { table.render(self.out, terminal_width()) }
    }

    /// Prints text of a result, with a line end.
    pub(crate) fn print_text(self, text: &str) -> Result<(), CliError> {
        if text.is_empty() || text.ends_with('\n') {
            self.print_raw(text)
        } else {
            self.print_raw(&format!("{text}\n"))
        }
    }

    /// Prints text of a result unchanged.
    pub(crate) fn print_raw(self, text: &str) -> Result<(), CliError> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        Ok(stdout.flush()?)
    }

    /// Prints a message for people, such as the next step.
    pub(crate) fn print_note(self, text: &str) {
        if !self.json && !self.quiet {
            self.write_stderr_line(text);
        }
    }

    /// Prints the error of a failed command.
    pub(crate) fn print_error(self, failure: &CliError) {
        if self.json {
            if let Some(body) = failure.body() {
                self.write_stderr_line(&body.to_string());
            }
        } else if let Some((message, hints)) = failure.lines() {
            self.write_stderr_line(&format!(
                "{} {message}",
                self.err.styled(TextStyle::Error, "error:")
            ));
            for hint in hints {
                self.write_stderr_line(&format!(
                    "{} {hint}",
                    self.err.styled(TextStyle::Warning, "hint:")
                ));
            }
        }
    }

    fn write_stderr_line(self, text: &str) {
        // If standard error is closed, there is no way to report it.
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
