//! Text that the user types in an editor.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli_error::CliError;
use crate::context::CliContext;

/// Whether an editor has the terminal: an interrupt is then meant for the editor.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Text from an editor. Its file is deleted when the text was used; until then an error can name it.
#[derive(Debug)]
pub(crate) struct EditedText {
    pub(crate) text: String,
    file: tempfile::TempPath,
}

impl EditedText {
    /// Keeps the file and adds its name to an error, so that no typed text is lost.
    pub(crate) fn keep(self, error: CliError) -> CliError {
        match self.file.keep() {
            Ok(path) => error.hint(format!("your text is in {}", path.display())),
            Err(failed) => error.hint(format!("your text could not be kept: {failed}")),
        }
    }
}

/// Whether an editor has the terminal now.
pub(crate) fn is_editor_open() -> bool {
    IS_OPEN.load(Ordering::Acquire)
}

/// Whether a user sits in front of this command: both its input and its output are a terminal.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Opens the user's editor ($VISUAL, then $EDITOR, on a terminal otherwise vi) with a text; returns the saved text.
pub(crate) async fn edit_text(
    context: &CliContext,
    name: &str,
    text: &str,
) -> Result<EditedText, CliError> {
    let program = editor_of(context)?;
    let mut file =
        tempfile::Builder::new().prefix(&format!("forge-{name}-")).suffix(".md").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    // The editor may replace the file, so only its path is kept.
    let file = file.into_temp_path();
    let path = file.to_path_buf();
    IS_OPEN.store(true, Ordering::Release);
    let ended = tokio::task::spawn_blocking(move || run_editor(&program, &path)).await;
    IS_OPEN.store(false, Ordering::Release);
    let ended = ended.map_err(|error| CliError::local(error.to_string()))?;
    let text = match ended {
        Ok(true) => fs::read_to_string(&file)
            .map_err(|error| CliError::local(format!("the edited text cannot be read: {error}"))),
        Ok(false) => Err(CliError::usage("the editor ended with an error; nothing was changed")),
        Err(error) => Err(CliError::usage(format!("the editor cannot be started: {error}"))
            .hint("set VISUAL or EDITOR to the command of your editor")),
    };
    match text {
        Ok(text) => Ok(EditedText { text, file }),
        Err(error) => Err(EditedText { text: String::new(), file }.keep(error)),
    }
}

fn editor_of(context: &CliContext) -> Result<PathBuf, CliError> {
    let set = ["VISUAL", "EDITOR"].iter().find_map(|name| context.environment.get(name));
    match set {
        Some(program) => Ok(program.into()),
        None if is_interactive() => Ok("vi".into()),
        None => Err(CliError::usage("there is no terminal to open an editor on")
            .hint("set VISUAL or EDITOR, or name the change with options; see --help")),
    }
}

/// Runs the editor as git does: through the shell, so that $EDITOR may contain arguments.
#[expect(
    clippy::disallowed_methods,
    reason = "the editor needs this terminal; forge-proc would detach it from the terminal"
)]
fn run_editor(program: &Path, file: &Path) -> io::Result<bool> {
    let mut command = Command::new("/bin/sh");
    let mut script = program.as_os_str().to_owned();
    script.push(" \"$@\"");
    Ok(command.arg("-c").arg(script).arg(program).arg(file).status()?.success())
}
