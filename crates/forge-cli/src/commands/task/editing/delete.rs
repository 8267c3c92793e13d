//! The command `forge task delete`.

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::confirm::confirm;
use crate::terminal::text_table::one_line;

/// Delete a task on which no work was ever done
///
/// A task that had a workspace or an execution is never deleted, because its history and its branch belong together:
/// cancel it and archive it instead. The same holds for a task that other tasks need.
#[derive(Debug, Args)]
#[command(visible_alias = "rm")]
pub(crate) struct TaskDeleteArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl TaskDeleteArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let (key, title) = (&task.key, one_line(&task.title));
        if !self.yes {
            confirm(&format!("Delete {key} ({title})? This cannot be undone.")).await?;
        }
        client.tasks().delete(task.id).await?;
        context.output.print_result(&task, || format!("{key}  deleted  {title}"))
    }
}
