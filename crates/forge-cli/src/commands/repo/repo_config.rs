//! The commands `forge repo config` and `accept-config`.

use clap::Subcommand;
use forge_api::{RepoConfig, RepoConfigChangeKind};

use crate::cli_error::CliError;
use crate::commands::repo::repo_remote::RepoOption;
use crate::context::CliContext;
use crate::terminal::confirm::confirm;
use crate::terminal::text_table::one_line;

/// Git settings of a repository
#[derive(Debug, Subcommand)]
pub(crate) enum RepoConfigSubcommand {
    /// Show how a repository's git settings differ from those that the server uses
    ///
    /// The server uses the settings, attributes and ignored names from the time the repository was registered.
    Config {
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Accept a repository's current git settings
    ///
    /// For admins: the server runs the programs that the settings name (filters, merge drivers).
    AcceptConfig {
        #[command(flatten)]
        repo: RepoOption,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

impl RepoConfigSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Config { repo } => {
                let (project, repo) = repo.fetch(&client).await?;
                let config = client.repos().fetch_config(project.id, repo.id).await?;
                let name = one_line(&repo.name);
                context.output.print_result(&config, || describe_config(&name, &config))
            }
            Self::AcceptConfig { repo, yes } => {
                let (project, repo) = repo.fetch(&client).await?;
                let name = one_line(&repo.name);
                if !yes {
                    let config = client.repos().fetch_config(project.id, repo.id).await?;
                    let question = format!("{}\nAccept them?", describe_config(&name, &config));
                    confirm(&question).await?;
                }
                let accepted = client.repos().accept_config(project.id, repo.id).await?;
                context.output.print_result(&accepted, || {
                    let count = accepted.changes.len();
                    format!("Accepted git's settings of {name}: {count} differences")
                })
            }
        }
    }
}

fn describe_config(name: &str, config: &RepoConfig) -> String {
    if config.changes.is_empty() {
        return format!("Git's settings of {name} are those that the server works with");
    }
    let mut text =
        format!("Git's settings of {name} differ from those that the server works with:");
    for change in &config.changes {
        let kind = match change.kind {
            RepoConfigChangeKind::Added => "added",
            RepoConfigChangeKind::Changed => "changed",
            RepoConfigChangeKind::Removed => "removed",
            RepoConfigChangeKind::Unreadable => "unreadable",
        };
        let (key, file) = (one_line(&change.key), one_line(&change.file));
        let holds = if change.holds { ", parks tasks" } else { "" };
        text.push_str(&format!("\n  {key} ({kind}{holds}) in {file}"));
        if let Some(reason) = &change.reason {
            text.push_str(&format!(": {}", one_line(reason)));
        }
    }
    text
}
