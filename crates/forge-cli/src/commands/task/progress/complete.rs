//! The command `forge task complete`.

use clap::Args;
use forge_api::CompleteTask;
use forge_client::TransitionWait;

use crate::cli_error::CliError;
use crate::commands::task::move_to::print_moved;
use crate::commands::task::own_task::OwnTaskTarget;
use crate::context::CliContext;

/// Hand in the work on a task: it is done
///
/// The task leaves its work state along the `done` edge of the workflow, usually into the review. The command waits for
/// the checks there. If they fail, the exit code is 1. A task that is not being worked on is refused.
#[derive(Debug, Args)]
pub(crate) struct TaskCompleteArgs {
    #[command(flatten)]
    target: OwnTaskTarget,
    /// What was done, for the history
    #[arg(long, short)]
    reason: Option<String>,
    /// Do not wait for checks or landing
    #[arg(long)]
    no_wait: bool,
}

impl TaskCompleteArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        let request = CompleteTask { version: Some(task.version), reason: self.reason };
        let waiting =
            if self.no_wait { TransitionWait::UntilRecorded } else { TransitionWait::UntilDone };
        let answer = client.tasks().complete(task.id, &request, waiting).await?;
        print_moved(context, &answer)
    }
}
