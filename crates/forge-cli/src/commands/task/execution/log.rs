//! The command `forge task log`.

use clap::Args;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::fetch_last_execution;
use crate::commands::task::execution::follow_log::follow_task;
use crate::commands::task::execution::log_printer::{LogForm, print_execution_log};
use crate::commands::task::own_task::OwnTaskTarget;
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
    target: OwnTaskTarget,
    /// Identifier of another execution than the last
    #[arg(long, value_name = "ID")]
    execution: Option<Uuid>,
}

impl TaskLogArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let form = if self.raw { LogForm::Raw } else { LogForm::Events { tail: self.tail } };
        if let Some(execution) = self.execution {
            return print_execution_log(context, &client, execution, form, self.follow).await;
        }
        let task = self.target.fetch_id(&client).await?;
        if self.follow && !context.output.is_json() {
            return follow_task(context, &client, task, form).await;
        }
        let execution = fetch_last_execution(&client, task).await?;
        print_execution_log(context, &client, execution, form, self.follow).await
    }
}
