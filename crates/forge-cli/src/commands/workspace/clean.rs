//! `forge workspace clean`

use clap::Args;
use forge_api::{CleanVerdict, CleanWorkspaces, Page};

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::Table;
use crate::task_ref::TaskRef;

/// Remove workspaces that nobody needs any more
///
/// Without a task: of all tasks that have ended. Work in no commit is saved first, and branches stay unless their
/// content landed. Directories of no task are named and left alone.
#[derive(Debug, Args)]
pub(crate) struct Clean {
    /// Only these tasks, ended or not: T-12, or an identifier
    tasks: Vec<TaskRef>,
    #[command(flatten)]
    project: ProjectOption,
    /// Only say what would happen
    #[arg(long, short = 'n')]
    dry_run: bool,
}

impl Clean {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = CleanWorkspaces { dry_run: self.dry_run };
        let page = if self.tasks.is_empty() {
            client.clean_workspaces(&asked).await?
        } else {
            let mut items = Vec::with_capacity(self.tasks.len());
            for task in self.tasks {
                let id = self.project.fetch_task_id(&client, task).await?;
                items.push(client.clean_workspace(id, &asked).await?);
            }
            Page { items, next_cursor: None }
        };
        if page.items.is_empty() {
            context.output.note("There is nothing to remove.");
        }
        let mut table = Table::new(&["task", "", "why", "place", "uncommitted work"]);
        for item in &page.items {
            let (ink, verdict) = match item.verdict {
                CleanVerdict::WouldBeRemoved => (Ink::Plain, "would go"),
                CleanVerdict::Removed => (Ink::Plain, "removed"),
                CleanVerdict::Failed => (Ink::Bad, "failed, tried again"),
                CleanVerdict::Blocked => (Ink::Doubtful, "stays"),
                CleanVerdict::Orphan => (Ink::Doubtful, "orphan"),
            };
            table.row([
                (Ink::Strong, item.key.as_deref().unwrap_or("-")),
                (ink, verdict),
                (Ink::Plain, &item.why),
                (Ink::Faint, &item.path),
                (Ink::Plain, item.saved_under.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.table(&page, &table)
    }
}
