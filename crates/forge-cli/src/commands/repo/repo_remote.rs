//! The commands `forge repo remote`, `push` and `token`.

use clap::{Args, Subcommand, ValueEnum};
use forge_api::{NewCredential, Project, Repo, RepoRemotePatch};
use forge_client::ApiClient;
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::repo::repo_subcommand::read_token;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_only_repo, fetch_repo};
use crate::terminal::secret_prompt;
use crate::terminal::text_table::one_line;

/// Remote of a repository: pushing, and its token
#[derive(Debug, Subcommand)]
pub(crate) enum RepoRemoteSubcommand {
    /// Show a repository's remote, whether landed work is pushed there, and whether it has a token
    Remote {
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Turn pushing of landed work on or off
    Push {
        /// Whether landed work is pushed
        push: PushSwitch,
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Token for a repository's remote
    #[command(subcommand)]
    Token(RepoTokenSubcommand),
}

/// Token for a repository's remote
#[derive(Debug, Subcommand)]
pub(crate) enum RepoTokenSubcommand {
    /// Store a token, replacing the current one; it is never shown again
    Set {
        /// @FILE for a file's content, - for standard input
        #[arg(value_name = "@FILE|-", default_value = "-")]
        token: String,
        /// User name for the token, if the host requires a certain one
        #[arg(long, value_name = "NAME")]
        user_name: Option<String>,
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Remove the stored token
    Remove {
        #[command(flatten)]
        repo: RepoOption,
    },
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PushSwitch {
    /// Turn it on
    On,
    /// Turn it off
    Off,
}

/// Selects the repository.
#[derive(Debug, Clone, Args)]
pub(crate) struct RepoOption {
    /// Repository name or identifier; optional if the project has only one
    #[arg(long, short, value_name = "REPO")]
    repo: Option<String>,
    #[command(flatten)]
    project: ProjectOption,
}

impl RepoOption {
    pub(crate) async fn fetch(&self, client: &ApiClient) -> Result<(Project, Repo), CliError> {
        let project = self.project.fetch(client).await?;
        let repo = match &self.repo {
            Some(name) => fetch_repo(client, project.id, name).await?,
            None => fetch_only_repo(client, &project).await?,
        };
        Ok((project, repo))
    }
}

impl RepoRemoteSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Remote { repo } => {
                let (project, repo) = repo.fetch(&client).await?;
                let remote = client.repos().fetch_remote(project.id, repo.id).await?;
                context.output.print_result(&remote, || {
                    let url = remote.url.as_deref().map_or("none".to_owned(), one_line);
                    let push = if remote.push { "on" } else { "off" };
                    let token = if remote.has_token { "stored" } else { "none" };
                    let name = one_line(&repo.name);
                    format!("{name}\n  remote  {url}\n  push    {push}\n  token   {token}")
                })
            }
            Self::Push { push, repo } => {
                let (project, repo) = repo.fetch(&client).await?;
                let patch = RepoRemotePatch {
                    push: Some(push == PushSwitch::On),
                    ..RepoRemotePatch::default()
                };
                let remote = client.repos().change_remote(project.id, repo.id, &patch).await?;
                context.output.print_result(&remote, || {
                    let name = one_line(&repo.name);
                    match &remote.url {
                        Some(url) if remote.push => {
                            format!("What lands in {name} is pushed to {}", one_line(url))
                        }
                        _ => format!("What lands in {name} stays there"),
                    }
                })
            }
            Self::Token(token) => token.run(context, &client).await,
        }
    }
}

impl RepoTokenSubcommand {
    async fn run(self, context: &CliContext, client: &ApiClient) -> Result<(), CliError> {
        match self {
            Self::Set { token, user_name, repo } => {
                let token = match token.as_str() {
                    // On a terminal the token is read without echo.
                    "-" => secret_prompt::read_secret("Token").await?,
                    given => read_token(given)?,
                };
                let (project, repo) = repo.fetch(client).await?;
                let credential = NewCredential { token, user_name };
                client.repos().put_credential(project.id, repo.id, &credential).await?;
                context.output.print_result(&json!({ "id": repo.id, "has_token": true }), || {
                    format!("Stored the token of {}", one_line(&repo.name))
                })
            }
            Self::Remove { repo } => {
                let (project, repo) = repo.fetch(client).await?;
                client.repos().remove_credential(project.id, repo.id).await?;
                context.output.print_result(&json!({ "id": repo.id, "has_token": false }), || {
                    format!("Removed the token of {}", one_line(&repo.name))
                })
            }
        }
    }
}
