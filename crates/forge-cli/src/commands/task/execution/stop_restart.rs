//! `forge task stop`, `restart` and `mark-failed`: handle an execution that has a problem.

use clap::Args;
use forge_api::{FailExecution, RescueResponse, RestartExecution, RestartMode, StopExecution};

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::context::CliContext;
use crate::terminal::text_table::one_line;

/// Stop a task's execution; nothing restarts by itself
///
/// The task keeps its state.
#[derive(Debug, Args)]
pub(crate) struct TaskStopArgs {
    #[command(flatten)]
    run: ExecutionTarget,
    /// Reason, for the task
    #[arg(long, short)]
    reason: Option<String>,
}

/// Restart a task's last execution, with the work as it is
#[derive(Debug, Args)]
pub(crate) struct TaskRestartArgs {
    #[command(flatten)]
    run: ExecutionTarget,
    /// Continue its conversation instead of starting a new one
    #[arg(long)]
    resume: bool,
}

/// Mark a task's execution as failed, whatever its own result
#[derive(Debug, Args)]
pub(crate) struct TaskMarkFailedArgs {
    #[command(flatten)]
    run: ExecutionTarget,
    /// Reason, for the task
    #[arg(long, short)]
    reason: Option<String>,
}

impl TaskStopArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let rescued = client.executions().stop(id, &StopExecution { reason: self.reason }).await?;
        print_rescued(context, &rescued, "stopped")?;
        let key = &rescued.task.key;
        context.output.print_note(&format!("Next: `forge task restart {key}` starts it again."));
        Ok(())
    }
}

impl TaskRestartArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let mode = if self.resume { RestartMode::Resume } else { RestartMode::Fresh };
        let rescued = client.executions().restart(id, &RestartExecution { mode }).await?;
        print_rescued(context, &rescued, "restarted")
    }
}

impl TaskMarkFailedArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let rescued = client.executions().fail(id, &FailExecution { reason: self.reason }).await?;
        print_rescued(context, &rescued, "marked as failed")
    }
}

fn print_rescued(
    context: &CliContext,
    rescued: &RescueResponse,
    what: &str,
) -> Result<(), CliError> {
    let task = &rescued.task;
    context
        .output
        .print_result(rescued, || format!("{}  {}  {what}", task.key, one_line(&task.status)))
}
