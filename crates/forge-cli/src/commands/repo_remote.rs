//! `forge repo remote`, `push`, `token`

use clap::{Args, Subcommand, ValueEnum};
use forge_api::{NewCredential, Project, Repo, RepoRemotePatch};
use forge_client::Client;
use serde_json::json;

use super::repo::read_token;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{ProjectOption, fetch_only_repo, fetch_repo};
use crate::prompt;
use crate::table::one_line;

/// A repository's other side: pushing, and what opens it
#[derive(Debug, Subcommand)]
pub(crate) enum RepoRemote {
    /// Show where a repository is elsewhere, whether what lands is pushed there, and whether it has a token
    Remote {
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Push what lands, or stop pushing it
    Push {
        /// Whether what lands is pushed
        push: Switch,
        #[command(flatten)]
        repo: RepoOption,
    },
    /// The token that opens a repository's other side
    #[command(subcommand)]
    Token(RepoToken),
}

/// The token that opens a repository's other side
#[derive(Debug, Subcommand)]
pub(crate) enum RepoToken {
    /// Store a token in place of the one there was; it is never shown again
    Set {
        /// @FILE for a file's content, - for standard input
        #[arg(value_name = "@FILE|-", default_value = "-")]
        token: String,
        /// The user name it goes with, where the host wants a certain one
        #[arg(long, value_name = "NAME")]
        user_name: Option<String>,
        #[command(flatten)]
        repo: RepoOption,
    },
    /// Forget the token
    Remove {
        #[command(flatten)]
        repo: RepoOption,
    },
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Yes
    On,
    /// No
    Off,
}

/// Which repository is meant.
#[derive(Debug, Clone, Args)]
pub(crate) struct RepoOption {
    /// The repository, by name or identifier; not needed while the project has only one
    #[arg(long, short, value_name = "REPO")]
    repo: Option<String>,
    #[command(flatten)]
    project: ProjectOption,
}

impl RepoOption {
    async fn fetch(&self, client: &Client) -> Result<(Project, Repo), Failure> {
        let project = self.project.fetch(client).await?;
        let repo = match &self.repo {
            Some(name) => fetch_repo(client, project.id, name).await?,
            None => fetch_only_repo(client, &project).await?,
        };
        Ok((project, repo))
    }
}

impl RepoRemote {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        match self {
            Self::Remote { repo } => {
                let (project, repo) = repo.fetch(&client).await?;
                let remote = client.fetch_repo_remote(project.id, repo.id).await?;
                context.output.result(&remote, || {
                    let url = remote.url.as_deref().map_or("nowhere else".to_owned(), one_line);
                    let push = if remote.push { "pushed" } else { "not pushed" };
                    let token = if remote.has_token { "of its own" } else { "none of its own" };
                    format!("{}: {url}\nwhat lands: {push}\ntoken: {token}", one_line(&repo.name))
                })
            }
            Self::Push { push, repo } => {
                let (project, repo) = repo.fetch(&client).await?;
                let patch = RepoRemotePatch {
                    push: Some(push == Switch::On),
                    ..RepoRemotePatch::default()
                };
                let remote = client.change_repo_remote(project.id, repo.id, &patch).await?;
                context.output.result(&remote, || {
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

impl RepoToken {
    async fn run(self, context: &Context, client: &Client) -> Result<(), Failure> {
        match self {
            Self::Set { token, user_name, repo } => {
                let token = match token.as_str() {
                    // At a terminal nothing of it is shown.
                    "-" => prompt::secret("Token").await?,
                    given => read_token(given)?,
                };
                let (project, repo) = repo.fetch(client).await?;
                let credential = NewCredential { token, user_name };
                client.put_repo_credential(project.id, repo.id, &credential).await?;
                context.output.result(&json!({ "id": repo.id, "has_token": true }), || {
                    format!("Stored the token of {}", one_line(&repo.name))
                })
            }
            Self::Remove { repo } => {
                let (project, repo) = repo.fetch(client).await?;
                client.remove_repo_credential(project.id, repo.id).await?;
                context.output.result(&json!({ "id": repo.id, "has_token": false }), || {
                    format!("Forgot the token of {}", one_line(&repo.name))
                })
            }
        }
    }
}
