//! The command `forge task handoff`.

use clap::Args;
use forge_api::NewHandoff as Request;

use crate::cli_error::CliError;
use crate::commands::task::own_task::OwnTaskTarget;
use crate::context::CliContext;
use crate::terminal::text_source;
use crate::terminal::text_table::one_line;

/// Release a task with a note for the next agent or user
///
/// Its work stays in the workspace.
#[derive(Debug, Args)]
pub(crate) struct TaskHandoffArgs {
    #[command(flatten)]
    target: OwnTaskTarget,
    /// What was done and what is blocking: text, @FILE, or - for standard input
    #[arg(long, short)]
    message: String,
}

impl TaskHandoffArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let request = Request { message: text_source::read_text(&self.message)? };
        let id = self.target.fetch_id(&client).await?;
        let task = client.tasks().hand_off(id, &request).await?;
        let key = &task.key;
        context
            .output
            .print_result(&task, || format!("{key}  {}  handed off", one_line(&task.status)))?;
        context.output.print_note(&format!(
            "Next: `forge task claim {key} --agent NAME` continues in the same workspace."
        ));
        Ok(())
    }
}
