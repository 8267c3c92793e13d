//! Where each agent program keeps its configuration, and what the entry for Forge is there.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli_error::CliError;
use crate::commands::mcp::{json_config, toml_config};
use crate::environment::ProcessEnvironment;

/// The name of the entry in every file.
pub(super) const ENTRY: &str = "forge";

/// An agent program that can use the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum McpClientProgram {
    /// Claude Code: `.mcp.json` in the current directory
    Claude,
    /// Codex: `config.toml` in its home directory
    Codex,
    /// Cursor: `.cursor/mcp.json` in the home directory
    Cursor,
    /// Gemini CLI: `.gemini/settings.json` in the home directory
    Gemini,
    /// VS Code: `.vscode/mcp.json` in the current directory
    Vscode,
}

/// The command that an agent program starts. The token is never part of it: the command takes it from its environment
/// or from the last `forge login`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerCommand {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// A configuration file with the entry for Forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewConfig {
    pub(super) path: PathBuf,
    /// The part that concerns Forge.
    pub(super) entry: String,
    /// The whole new content; `None` if the file has the entry already.
    pub(super) content: Option<String>,
}

impl McpClientProgram {
    /// The file of this program.
    pub(super) fn path(self, environment: &ProcessEnvironment) -> Result<PathBuf, CliError> {
        let home = || {
            let home = environment.get("HOME").map(PathBuf::from);
            home.ok_or_else(|| {
                CliError::usage(
                    "this program is configured in the home directory, and HOME is not set",
                )
            })
        };
        Ok(match self {
            Self::Claude => PathBuf::from(".mcp.json"),
            Self::Vscode => PathBuf::from(".vscode/mcp.json"),
            Self::Cursor => home()?.join(".cursor/mcp.json"),
            Self::Gemini => home()?.join(".gemini/settings.json"),
            Self::Codex => match environment.get("CODEX_HOME") {
                Some(directory) => Path::new(directory).join("config.toml"),
                None => home()?.join(".codex/config.toml"),
            },
        })
    }

    /// The file with the entry; `old` is its present content, empty if there is none.
    pub(super) fn configure(
        self,
        path: PathBuf,
        old: &str,
        command: &ServerCommand,
    ) -> Result<NewConfig, CliError> {
        let unusable = |why: String| {
            CliError::usage(format!("{} cannot be changed: {why}", path.display()))
                .hint("add the entry by hand; without --write the command shows it")
        };
        let (entry, content) = match self {
            Self::Codex => {
                let entry = toml_config::entry(command).map_err(&unusable)?;
                let content = toml_config::with_entry(old, &entry, command).map_err(&unusable)?;
                (entry, content)
            }
            Self::Claude | Self::Cursor | Self::Gemini | Self::Vscode => {
                let section = if self == Self::Vscode { "servers" } else { "mcpServers" };
                let entry = self.json_entry(command);
                let shown = json!({ section: { ENTRY: entry } });
                let shown = serde_json::to_string_pretty(&shown).unwrap_or_default();
                let content = json_config::with_entry(old, section, &entry).map_err(&unusable)?;
                (shown, content)
            }
        };
        Ok(NewConfig { path, entry, content })
    }

    fn json_entry(self, command: &ServerCommand) -> Value {
        let mut entry = json!({ "command": command.program, "args": command.arguments });
        if matches!(self, Self::Claude | Self::Vscode) {
            entry["type"] = json!("stdio");
        }
        entry
    }
}
