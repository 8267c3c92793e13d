//! `forge workspace list`

use clap::Args;
use forge_api::{DirtyCounts, PageQuery, Workspace, WorkspaceStatus};
use forge_client::collect;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::{more, word};

/// List the workspaces on the server's disk, and how each stands
#[derive(Debug, Args)]
pub(crate) struct List {
    /// How many at most
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    limit: usize,
}

impl List {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let page =
            collect(self.limit, async |page: PageQuery| client.fetch_workspaces(&page).await)
                .await?;
        let mut table =
            Table::new(&["task", "status", "branch", "commits", "changes", "in use", "path"])
                .flexible(6);
        for workspace in &page.items {
            let used = workspace.lock.as_ref().map(|lock| format!("process {}", lock.pid));
            table.row([
                (Ink::Strong, &workspace.key),
                (ink(workspace.status), &word(&workspace.status)),
                (Ink::Plain, workspace.branch.as_deref().unwrap_or_default()),
                (Ink::Plain, &distance(workspace)),
                (Ink::Doubtful, &workspace.dirty.map(changes).unwrap_or_default()),
                (Ink::Faint, &used.unwrap_or_default()),
                (Ink::Faint, &workspace.path),
            ]);
        }
        context.output.table(&page, &table)?;
        if let Some(text) = more(&page) {
            context.output.note(text);
        }
        if page.items.is_empty() {
            context.output.note("No workspace is on disk. Claiming a task makes one.");
        }
        Ok(())
    }
}

/// How far it is from its target.
pub(super) fn distance(workspace: &Workspace) -> String {
    match (workspace.ahead, workspace.behind) {
        (Some(0), Some(0)) => "even".to_owned(),
        (Some(ahead), Some(0)) => format!("{ahead} ahead"),
        (Some(0), Some(behind)) => format!("{behind} behind"),
        (Some(ahead), Some(behind)) => format!("{ahead} ahead, {behind} behind"),
        _ => String::new(),
    }
}

/// What is not committed.
pub(super) fn changes(dirty: DirtyCounts) -> String {
    let parts =
        [(dirty.staged, "staged"), (dirty.modified, "modified"), (dirty.untracked, "untracked")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn ink(status: WorkspaceStatus) -> Ink {
    match status {
        WorkspaceStatus::Ready => Ink::Good,
        WorkspaceStatus::Preparing | WorkspaceStatus::Cleaning => Ink::Doubtful,
        WorkspaceStatus::Cleaned => Ink::Faint,
        WorkspaceStatus::Corrupted | WorkspaceStatus::Error => Ink::Bad,
    }
}
