//! The command `forge project remove`.

use clap::Args;
use forge_api::{KeptRepository, RemovedProject};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::fetch_project;
use crate::terminal::confirm::confirm;
use crate::terminal::text_table::one_line;

/// More branches than this are only counted.
const MOST_BRANCHES: usize = 20;

/// Remove a project; its repositories are not touched
///
/// Only for admins. Refused while a task is open or a workspace is left. Branches and saved states of its tasks stay in
/// the repositories and are listed. Its history stays in the database, and its name can be given again.
#[derive(Debug, Args)]
#[command(visible_alias = "rm")]
pub(crate) struct ProjectRemoveArgs {
    /// Name or identifier
    project: String,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl ProjectRemoveArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = fetch_project(&client, &self.project).await?;
        let name = one_line(&project.name);
        if !self.yes {
            confirm(&format!("Remove the project {name}? Its board cannot be opened any more."))
                .await?;
        }
        let kept = client.projects().remove(project.id).await?;
        context.output.print_result(&kept, || describe_removed(&name, &kept))
    }
}

fn describe_removed(name: &str, kept: &RemovedProject) -> String {
    let mut text = format!("Removed project {name}\n");
    for repo in &kept.repositories {
        text.push_str(&describe_repository(repo));
    }
    if let Some(directory) = &kept.directory {
        text.push_str(&format!("  {}  stays as it is\n", one_line(directory)));
    }
    text
}

fn describe_repository(repo: &KeptRepository) -> String {
    let KeptRepository { name, place, branches, journal_entries, archived } = repo;
    let mut text = format!("  {}  {} keeps\n", one_line(name), one_line(place));
    for branch in branches.iter().take(MOST_BRANCHES) {
        text.push_str(&format!("    branch {}\n", one_line(branch)));
    }
    let more = branches.len().saturating_sub(MOST_BRANCHES);
    if more > 0 {
        text.push_str(&format!("    and {more} more branches\n"));
    }
    text.push_str(&format!("    {archived} archived branches (refs/forge/archive/)\n"));
    text.push_str(&format!("    {journal_entries} saved states (refs/forge/journal/)\n"));
    text
}
