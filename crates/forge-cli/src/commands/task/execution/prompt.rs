//! The command `forge task prompt`.

use clap::Args;
use forge_api::PromptQuery;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_table::plain_text;

/// Show the exact prompt that an agent would get for a task
#[derive(Debug, Args)]
pub(crate) struct TaskPromptArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Role that gets the prompt; default: the role that works on the task
    #[arg(long)]
    role: Option<String>,
}

impl TaskPromptArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let found = client.tasks().fetch_prompt(id, &PromptQuery { role: self.role }).await?;
        context.output.print_result(&found, || plain_text(&found.prompt))
    }
}
