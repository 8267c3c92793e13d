//! The command `forge repo`.

use std::path::Path;

use clap::Subcommand;
use forge_api::{NewRepo, RepoSource, SecretString};

use crate::cli_error::CliError;
use crate::commands::repo::repo_config::RepoConfigSubcommand;
use crate::commands::repo::repo_remote::RepoRemoteSubcommand;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_repo, fetch_repos};
use crate::repository::find_checkout_root;
use crate::terminal::branch_question::add_repo;
use crate::terminal::confirm::confirm;
use crate::terminal::text_source;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};

/// Repositories of a project
#[derive(Debug, Subcommand)]
pub(crate) enum RepoSubcommand {
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
        /// Name of the repository; default: taken from the path or URL
        #[arg(long)]
        name: Option<String>,
        /// Token for the URL: @FILE for a file's content, - for standard input
        #[arg(long, value_name = "@FILE|-")]
        token: Option<String>,
        /// Branch that work lands on, for a path; default: determined by the server
        #[arg(long, value_name = "BRANCH")]
        default_branch: Option<String>,
        #[command(flatten)]
        project: ProjectOption,
    },
    /// Remove a repository from a project; the repository itself is not touched
    ///
    /// Refused while a task needs it. If it was added by its URL, the server's clone is moved aside.
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
    Remote(RepoRemoteSubcommand),
    #[command(flatten)]
    Settings(RepoConfigSubcommand),
}

impl RepoSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self {
            Self::List { project } => list(context, &project).await,
            Self::Add { source, name, token, default_branch, project } => {
                let token = token.as_deref().map(read_token).transpose()?;
                let client = context.client()?;
                let project = project.fetch(&client).await?;
                let source = read_source(&source)?;
                let request = NewRepo { source, name, token, default_branch };
                let repo = add_repo(&client, project.id, request).await?;
                context.output.print_result(&repo, || {
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
                    confirm(&format!("Remove the repository {name} from {of}?")).await?;
                }
                client.repos().remove(project.id, repo.id).await?;
                context
                    .output
                    .print_result(&repo, || format!("Removed repository {name} from {of}"))
            }
            Self::Remote(remote) => remote.run(context).await,
            Self::Settings(settings) => settings.run(context).await,
        }
    }
}

/// Every user of a machine can read the arguments of its processes, so a token is never an argument.
pub(crate) fn read_token(given: &str) -> Result<SecretString, CliError> {
    if given != "-" && !given.starts_with('@') {
        return Err(CliError::usage("a token on the command line can be read by others")
            .hint("put it into a file and give @FILE, or pipe it in and give -"));
    }
    Ok(SecretString::new(text_source::read_text(given)?.trim()))
}

/// A URL has a scheme or the short form of ssh; anything else is a path, made absolute here because the server has
/// another working directory.
fn read_source(given: &str) -> Result<RepoSource, CliError> {
    let path = Path::new(given);
    let is_short_ssh = given.split_once(':').is_some_and(|(host, _)| !host.contains('/'));
    if given.contains("://") || (is_short_ssh && !path.exists()) {
        return Ok(RepoSource::Url(given.to_owned()));
    }
    let top = find_checkout_root(path).or_else(|failure| {
        let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir();
        if is_bare { Ok(path.canonicalize()?) } else { Err(failure) }
    })?;
    local_source(&top)
}

/// A path on the server's disk, if it is valid UTF-8.
pub(crate) fn local_source(path: &Path) -> Result<RepoSource, CliError> {
    let text = path.to_str().ok_or_else(|| {
        CliError::usage(format!("{} is not valid UTF-8", path.display()))
            .hint("rename the directory")
    })?;
    Ok(RepoSource::Path(text.to_owned()))
}

async fn list(context: &CliContext, project: &ProjectOption) -> Result<(), CliError> {
    let client = context.client()?;
    let project = project.fetch_id(&client).await?;
    let page = fetch_repos(&client, project).await?;
    let mut table = TextTable::new(&["name", "branch", "", "place"]);
    for repo in &page.items {
        let place = repo.path.as_deref().or(repo.url.as_deref());
        table.row([
            (TextStyle::Bold, &repo.name),
            (TextStyle::Plain, repo.default_branch.as_deref().unwrap_or("(empty)")),
            (TextStyle::Dim, if repo.primary { "primary" } else { "" }),
            (TextStyle::Plain, place.unwrap_or_default()),
        ]);
    }
    context.output.print_table(&page, &table)
}
