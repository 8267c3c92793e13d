//! The command `forge task follow-up`.

use clap::Args;
use forge_api::NewFollowUp;

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::context::CliContext;
use crate::terminal::text_source;

/// Continue the conversation of a task's last execution
#[derive(Debug, Args)]
pub(crate) struct TaskFollowUpArgs {
    #[command(flatten)]
    run: ExecutionTarget,
    /// Message for the agent: text, @FILE, or - for standard input
    message: String,
}

impl TaskFollowUpArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let asked = NewFollowUp { message: text_source::read_text(&self.message)? };
        let execution = self.run.fetch_id(&client).await?;
        let claimed = client.executions().follow_up(execution, &asked).await?;
        context.output.print_result(&claimed, || "The agent continues".to_owned())
    }
}
