//! The command `forge task steer`.

use clap::Args;
use forge_api::{NewSteer, SteerDelivery};

use crate::cli_error::CliError;
use crate::commands::task::execution::execution_target::ExecutionTarget;
use crate::context::CliContext;
use crate::terminal::text_source;

/// Send a message to the agent that works on a task
///
/// An agent of kind acp receives it while it works; the others get it in a new execution right after the current one.
#[derive(Debug, Args)]
pub(crate) struct TaskSteerArgs {
    #[command(flatten)]
    run: ExecutionTarget,
    /// Message for the agent: text, @FILE, or - for standard input
    message: String,
}

impl TaskSteerArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let asked = NewSteer { message: text_source::read_text(&self.message)? };
        let execution = self.run.fetch_id(&client).await?;
        let steered = client.executions().steer(execution, &asked).await?;
        context.output.print_result(&steered, || {
            match steered.delivery {
                SteerDelivery::Live => "The message was sent to the agent",
                SteerDelivery::NextTurn => {
                    "Queued: the agent gets the message after its current execution"
                }
            }
            .to_owned()
        })
    }
}
