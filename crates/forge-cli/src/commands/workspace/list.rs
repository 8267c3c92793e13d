//! The command `forge workspace list`.

use clap::Args;
use forge_api::{DirtyCounts, PageQuery, WorkspaceStatus, WorkspaceView};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::project_names::ProjectNames;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;
use crate::terminal::wire_words::{truncation_note, wire_name};

/// List the workspaces on the server's disk, and their state
#[derive(Debug, Args)]
pub(crate) struct WorkspaceListArgs {
    /// Maximum number of workspaces
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    limit: usize,
}

impl WorkspaceListArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let page = collect_pages(self.limit, async |page: PageQuery| {
            client.workspaces().fetch_page(&page).await
        })
        .await?;
        let all = page.items.iter().map(|workspace| workspace.project_id);
        let names = ProjectNames::fetch(&client, all).await?;
        let mut table = TextTable::new(&[
            "task", "project", "status", "branch", "commits", "changes", "in use", "path",
        ])
        .flexible(7);
        for workspace in &page.items {
            let used = workspace.lock.as_ref().map(|lock| format!("process {}", lock.pid));
            table.row([
                (TextStyle::Bold, &workspace.key),
                (TextStyle::Dim, names.name(workspace.project_id)),
                (workspace_style(workspace.status), &wire_name(&workspace.status)),
                (TextStyle::Plain, workspace.branch.as_deref().unwrap_or_default()),
                (TextStyle::Plain, &describe_distance(workspace)),
                (TextStyle::Warning, &workspace.dirty.map(describe_changes).unwrap_or_default()),
                (TextStyle::Dim, &used.unwrap_or_default()),
                (TextStyle::Dim, &workspace.path),
            ]);
        }
        context.output.print_table(&page, &table)?;
        if let Some(text) = truncation_note(&page) {
            context.output.print_note(text);
        }
        if page.items.is_empty() {
            context.output.print_note("No workspace is on disk. Claiming a task creates one.");
        }
        Ok(())
    }
}

/// How far the branch is from its target.
pub(crate) fn describe_distance(workspace: &WorkspaceView) -> String {
    match (workspace.ahead, workspace.behind) {
        (Some(0), Some(0)) => "even".to_owned(),
        (Some(ahead), Some(0)) => format!("{ahead} ahead"),
        (Some(0), Some(behind)) => format!("{behind} behind"),
        (Some(ahead), Some(behind)) => format!("{ahead} ahead, {behind} behind"),
        _ => String::new(),
    }
}

/// Counts of uncommitted changes.
pub(crate) fn describe_changes(dirty: DirtyCounts) -> String {
    let parts =
        [(dirty.staged, "staged"), (dirty.modified, "modified"), (dirty.untracked, "untracked")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn workspace_style(status: WorkspaceStatus) -> TextStyle {
    match status {
        WorkspaceStatus::Ready => TextStyle::Success,
        WorkspaceStatus::Preparing | WorkspaceStatus::Cleaning | WorkspaceStatus::Unknown => {
            TextStyle::Warning
        }
        WorkspaceStatus::Cleaned => TextStyle::Dim,
        WorkspaceStatus::Corrupted | WorkspaceStatus::Error => TextStyle::Error,
    }
}
