//! Programs of the user's choice that get the terminal: editor and pager.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;

use crate::environment::ProcessEnvironment;

/// The user's editor and pager, as shell commands.
#[derive(Debug, Clone)]
pub(crate) struct UserPrograms {
    editor: Option<OsString>,
    pager: OsString,
}

impl UserPrograms {
    pub(crate) fn of(environment: &ProcessEnvironment) -> Self {
        let named = |name| environment.get(name).map(OsStr::to_owned);
        let usual = if environment.find_program("less").is_some() { "less" } else { "more" };
        Self {
            editor: named("VISUAL").or_else(|| named("EDITOR")),
            pager: named("PAGER").unwrap_or_else(|| usual.into()),
        }
    }

    /// Opens a directory in the editor and waits for its end.
    pub(crate) async fn edit(&self, path: &Path) -> Result<(), String> {
        match &self.editor {
            Some(editor) => run(editor, path).await,
            None => {
                Err("no editor is known; set VISUAL or EDITOR and open the board again".to_owned())
            }
        }
    }

    /// Shows a text in the pager and waits for its end.
    pub(crate) async fn show(&self, text: &str) -> Result<(), String> {
        let written = tempfile::NamedTempFile::new()
            .and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
        let file =
            written.map_err(|error| format!("cannot write a file for the pager: {error}"))?;
        run(&self.pager, file.path()).await
    }
}

/// Runs a command with a path in the shell, as git does, because both variables may contain arguments.
#[expect(
    clippy::disallowed_methods,
    reason = "an interactive program of the user shares this terminal and ends by its own"
)]
async fn run(command: &OsStr, path: &Path) -> Result<(), String> {
    let mut script = command.to_owned();
    script.push(" \"$1\"");
    let started =
        tokio::process::Command::new("sh").arg("-c").arg(&script).arg("sh").arg(path).status();
    let name = command.to_string_lossy();
    match started.await {
        // 130: the user interrupted it.
        Ok(status) if status.success() || status.code() == Some(130) => Ok(()),
        Ok(status) => Err(format!("`{name}` ended with {status}")),
        Err(error) => Err(format!("`{name}` cannot be started: {error}")),
    }
}
