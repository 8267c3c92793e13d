//! The command `forge workspace clean`.

use clap::Args;
use forge_api::{CleanWorkspaces, CleanupDecision, Page};

use crate::cli_error::CliError;
use crate::commands::task::inside_execution::InsideExecution;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;

/// Remove workspaces that are no longer needed
///
/// Without a task: those of all ended tasks. Uncommitted work is saved first, and branches stay unless their content
/// landed. Directories without a task are listed and left alone.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceCleanArgs {
    /// Only these tasks, ended or not: T-12, or an identifier
    tasks: Vec<TaskRef>,
    #[command(flatten)]
    project: ProjectOption,
    #[command(flatten)]
    inside: InsideExecution,
    /// Only show what would happen
    #[arg(long, short = 'n')]
    dry_run: bool,
}

impl WorkspaceCleanArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let asked = CleanWorkspaces { dry_run: self.dry_run };
        let page = if self.tasks.is_empty() {
            client.workspaces().clean_all(&asked).await?
        } else {
            let mut items = Vec::with_capacity(self.tasks.len());
            for task in self.tasks {
                let id = self.inside.fetch_task_id(&client, &self.project, task).await?;
                items.push(client.workspaces().clean(id, &asked).await?);
            }
            Page { items, next_cursor: None }
        };
        if page.items.is_empty() {
            context.output.print_note("There is nothing to remove.");
        }
        let mut table = TextTable::new(&["task", "", "why", "place", "uncommitted work"]);
        for item in &page.items {
            let (ink, verdict) = match item.verdict {
                CleanupDecision::WouldBeRemoved => (TextStyle::Plain, "would go"),
                CleanupDecision::Removed => (TextStyle::Plain, "removed"),
                CleanupDecision::Failed => (TextStyle::Error, "failed, will retry"),
                CleanupDecision::Blocked => (TextStyle::Warning, "stays"),
                CleanupDecision::Orphan => (TextStyle::Warning, "orphan"),
            };
            table.row([
                (TextStyle::Bold, item.key.as_deref().unwrap_or("-")),
                (ink, verdict),
                (TextStyle::Plain, &item.why),
                (TextStyle::Dim, &item.path),
                (TextStyle::Plain, item.saved_under.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.print_table(&page, &table)
    }
}
