//! `forge task cancel`, `archive` and `unarchive`: remove a task from the board, and show it again.

use clap::Args;
use forge_api::Task;

use crate::cli_error::CliError;
use crate::commands::task::task_outcome;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_table::one_line;

/// Cancel a task; its work is kept
///
/// Its processes are stopped first.
#[derive(Debug, Args)]
pub(crate) struct TaskCancelArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Reason, for the history
    #[arg(long, short)]
    reason: Option<String>,
}

/// Hide a task from lists
#[derive(Debug, Args)]
pub(crate) struct TaskArchiveArgs {
    #[command(flatten)]
    target: TaskTarget,
}

/// Show an archived task in lists again
#[derive(Debug, Args)]
pub(crate) struct TaskUnarchiveArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl TaskCancelArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let request = forge_api::CancelRequest { reason: self.reason };
        print_task(context, &client.tasks().cancel(id, &request).await?)
    }
}

impl TaskArchiveArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        print_task(context, &client.tasks().archive(id).await?)
    }
}

impl TaskUnarchiveArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        print_task(context, &client.tasks().unarchive(id).await?)
    }
}

fn print_task(context: &CliContext, task: &Task) -> Result<(), CliError> {
    let archived = if task.archived_at.is_some() { "  archived" } else { "" };
    let outcome = task_outcome::outcome_lines(task);
    context.output.print_result(task, || {
        format!("{}  {}{archived}{outcome}", task.key, one_line(&task.status))
    })
}
