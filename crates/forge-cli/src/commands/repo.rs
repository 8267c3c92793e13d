//! `forge repo`

use std::path::Path;

use clap::Subcommand;
use forge_api::{NewRepo, RepoSource, Secret};

use super::repo_remote::RepoRemote;
use crate::confirm::confirm;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{ProjectOption, fetch_repo, fetch_repos};
use crate::paint::Ink;
use crate::repository::find_top;
use crate::table::{Table, one_line};
use crate::text_source;

/// Repositories of a project
#[derive(Debug, Subcommand)]
pub(crate) enum Repo {
    /// List a project's repositories
    #[command(visible_alias = "ls")]
    List {
        #[command(flatten)]
        project: ProjectOption,
    },
    /// Add a repository to a project
    Add {
        /// A checkout or bare repository on the server's disk, or the URL of a remote
        source: String,
        /// Its name; taken from the path or URL if left out
        #[arg(long)]
        name: Option<String>,
        /// A token that opens the URL: @FILE for a file's content, - for standard input
        #[arg(long, value_name = "@FILE|-")]
        token: Option<String>,
        #[command(flatten)]
        project: ProjectOption,
    },
    /// Take a repository from a project; the repository itself is not touched
    ///
    /// Refused while a task needs it. Of one that was added by its URL, the server's clone is set aside.
    #[command(visible_alias = "rm")]
    Remove {
        /// Name or identifier
        repo: String,
        #[command(flatten)]
        project: ProjectOption,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    #[command(flatten)]
    Remote(RepoRemote),
}

impl Repo {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        match self {
            Self::List { project } => list(context, &project).await,
            Self::Add { source, name, token, project } => {
                let token = token.as_deref().map(read_token).transpose()?;
                let client = context.client()?;
                let project = project.fetch(&client).await?;
                let request = NewRepo { source: read_source(&source)?, name, token };
                let repo = client.add_repo(project.id, &request).await?;
                context.output.result(&repo, || {
                    format!(
                        "Added repository {} to {}",
                        one_line(&repo.name),
                        one_line(&project.name)
                    )
                })
            }
            Self::Remove { repo, project, yes } => {
                let client = context.client()?;
                let project = project.fetch(&client).await?;
                let repo = fetch_repo(&client, project.id, &repo).await?;
                let (name, of) = (one_line(&repo.name), one_line(&project.name));
                if !yes {
                    confirm(&format!("Take the repository {name} from {of}?")).await?;
                }
                client.remove_repo(project.id, repo.id).await?;
                context.output.result(&repo, || format!("Removed repository {name} from {of}"))
            }
            Self::Remote(remote) => remote.run(context).await,
        }
    }
}

/// Every user of a machine can read the arguments of its processes, so a token is no argument.
pub(super) fn read_token(given: &str) -> Result<Secret, Failure> {
    if given != "-" && !given.starts_with('@') {
        return Err(Failure::usage("a token on the command line can be read by others")
            .hint("put it into a file and give @FILE, or pipe it in and give -"));
    }
    Ok(Secret::new(text_source::read(given)?.trim()))
}

/// A URL has a scheme or the short form of ssh; all else is a path, made absolute here because the server stands
/// somewhere else.
fn read_source(given: &str) -> Result<RepoSource, Failure> {
    let path = Path::new(given);
    let is_short_ssh = given.split_once(':').is_some_and(|(host, _)| !host.contains('/'));
    if given.contains("://") || (is_short_ssh && !path.exists()) {
        return Ok(RepoSource::Url(given.to_owned()));
    }
    let top = find_top(path).or_else(|failure| {
        let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir();
        if is_bare { Ok(path.canonicalize()?) } else { Err(failure) }
    })?;
    local_source(&top)
}

/// A path on the server's disk, if it can be written as text.
pub(super) fn local_source(path: &Path) -> Result<RepoSource, Failure> {
    let text = path.to_str().ok_or_else(|| {
        Failure::usage(format!("{} is not valid UTF-8", path.display()))
            .hint("rename the directory")
    })?;
    Ok(RepoSource::Path(text.to_owned()))
}

async fn list(context: &Context, project: &ProjectOption) -> Result<(), Failure> {
    let client = context.client()?;
    let project = project.fetch_id(&client).await?;
    let page = fetch_repos(&client, project).await?;
    let mut table = Table::new(&["name", "branch", "", "place"]);
    for repo in &page.items {
        let place = repo.path.as_deref().or(repo.url.as_deref());
        table.row([
            (Ink::Strong, &repo.name),
            (Ink::Plain, repo.default_branch.as_deref().unwrap_or("(empty)")),
            (Ink::Faint, if repo.primary { "primary" } else { "" }),
            (Ink::Plain, place.unwrap_or_default()),
        ]);
    }
    context.output.table(&page, &table)
}
