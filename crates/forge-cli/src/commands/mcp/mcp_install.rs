//! The command `forge mcp install`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::mcp::client_config::{McpClientProgram, NewConfig, ServerCommand};
use crate::context::CliContext;

/// Show how to give an agent program Forge's tools, or write it into the program's configuration
///
/// The configuration never contains a token: the program starts `forge mcp`, which signs in as every other command.
#[derive(Debug, Args)]
pub(crate) struct McpInstallArgs {
    /// Agent program to configure
    program: McpClientProgram,
    /// Write the file; everything else in it stays as it is
    #[arg(long)]
    write: bool,
}

impl McpInstallArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        let path = self.program.path(&context.environment)?;
        // Follow a link, so that the file is changed and not the link replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let old = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unusable(&path, &error)),
        };
        let config = match self.write {
            true => self.program.configure(path, &old, &server_command(context))?,
            // What is shown does not depend on the file.
            false => self.program.configure(path, "", &server_command(context))?,
        };
        let is_written = self.write && config.content.is_some();
        if let Some(content) = config.content.as_ref().filter(|_| self.write) {
            replace(&config.path, content).map_err(|error| unusable(&config.path, &error))?;
        }
        self.report(context, &config, is_written)
    }

    fn report(
        &self,
        context: &CliContext,
        config: &NewConfig,
        is_written: bool,
    ) -> Result<(), CliError> {
        let path = config.path.display().to_string();
        let document = json!({ "path": path, "entry": config.entry, "written": is_written });
        context.output.print_result(&document, || match (self.write, is_written) {
            (true, true) => format!("Wrote {path}"),
            (true, false) => format!("{path} has the entry already"),
            (false, _) => config.entry.trim_end().to_owned(),
        })?;
        if !self.write {
            context.output.print_note(&format!("Add this to {path}, or repeat with --write."));
        }
        Ok(())
    }
}

/// The command that starts the proxy: this program, with the server if one was named.
fn server_command(context: &CliContext) -> ServerCommand {
    let own = std::env::current_exe().ok();
    let on_path = context.environment.find_program("forge");
    let is_on_path = on_path.is_some_and(|found| {
        fs::canonicalize(found).ok() == own.as_ref().and_then(|own| fs::canonicalize(own).ok())
    });
    let program = match own.filter(|_| !is_on_path) {
        Some(path) => path.display().to_string(),
        None => "forge".to_owned(),
    };
    let url = context.options.url.iter().flat_map(|url| ["--url".to_owned(), url.clone()]);
    ServerCommand { program, arguments: url.chain(["mcp".to_owned()]).collect() }
}

/// Replaces the file in one step, with the permissions that it had.
fn replace(path: &Path, content: &str) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.map_or_else(|| PathBuf::from("."), Path::to_owned);
    fs::create_dir_all(&directory)?;
    let mut temporary = tempfile::NamedTempFile::new_in(&directory)?;
    temporary.write_all(content.as_bytes())?;
    if let Ok(old) = fs::metadata(path) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path)?;
    Ok(())
}

fn unusable(path: &Path, error: &io::Error) -> CliError {
    CliError::local(format!("{} cannot be read or written: {error}", path.display()))
        .hint("check its permissions; without --write the command only shows the entry")
}
