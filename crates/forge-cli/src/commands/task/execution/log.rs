//! The command `forge task log`.

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::commands::task::execution::follow_log::follow_task;
use crate::commands::task::execution::log_printer::{LogForm, print_execution_log};
use crate::context::CliContext;

/// Show what the agent of a task says and does
///
/// Without --follow it shows the task's last execution. With --follow it continues with every further execution, until
/// the task ends or needs a person.
#[derive(Debug, Args)]
pub(crate) struct TaskLogArgs {
    /// Continue to print new output, until the task ends or needs a person
    #[arg(long, short)]
    follow: bool,
    /// Show the raw output of the agent's program
    #[arg(long, conflicts_with = "tail")]
    raw: bool,
    /// Only the last N events
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    tail: Option<u32>,
    #[command(flatten)]
    run: ExecutionTarget,
}

impl TaskLogArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let form = if self.raw { LogForm::Raw } else { LogForm::Events { tail: self.tail } };
        if self.follow && !self.run.is_named() && !context.output.is_json() {
            let task = self.run.fetch_task_id(&client).await?;
            return follow_task(context, &client, task, form).await;
        }
        let execution = self.run.fetch_id(&client).await?;
        print_execution_log(context, &client, execution, form, self.follow).await
    }
}
