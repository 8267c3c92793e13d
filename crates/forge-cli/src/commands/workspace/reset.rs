//! The command `forge workspace reset`.

use clap::Args;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::confirm::confirm;
use crate::terminal::text_table::one_line;

/// Discard a task's workspace and create a new one from the target branch
///
/// Its content is kept: commits under refs/forge/archive/, the rest under refs/forge/journal/. The task can be
/// claimed again.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceResetArgs {
    /// Task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl WorkspaceResetArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.project.fetch_task(&client, self.task).await?;
        if !self.yes {
            let title = one_line(&task.title);
            let question = format!(
                "Reset the workspace of {} ({title})? Its commits will not be in the new workspace.",
                task.key
            );
            confirm(&question).await?;
        }
        let task = client.workspaces().reset(task.id).await?;
        context
            .output
            .print_result(&task, || format!("{}  {}", task.key, one_line(&task.status)))?;
        match &task.error_annotation {
            Some(trouble) => {
                context.output.print_note(&format!("Not done: {}", one_line(&trouble.message)))
            }
            None => context
                .output
                .print_note(&format!("Next: claim it with `forge task claim {}`.", task.key)),
        }
        Ok(())
    }
}
