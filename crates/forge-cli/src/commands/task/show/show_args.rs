//! The command `forge task show`.

use clap::Args;
use forge_api::ActionView;

use crate::cli_error::CliError;
use crate::commands::task::own_task::OwnTaskTarget;
use crate::commands::task::show::describe_task::describe_task;
use crate::commands::task::show::task_details::TaskDetails;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;

/// Show a task: agent, worktree, changes, checks, cost
#[derive(Debug, Args)]
pub(crate) struct TaskShowArgs {
    #[command(flatten)]
    target: OwnTaskTarget,
    /// List every command that is possible now
    #[arg(long)]
    actions: bool,
}

impl TaskShowArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch(&client).await?;
        if self.actions {
            let actions = client.tasks().fetch_actions(task.id).await?;
            return context.output.print_table(&actions, &list_actions(&actions.items));
        }
        if context.output.is_json() {
            return context.output.print_result(&task, String::new);
        }
        let details = TaskDetails::load(&client, task).await?;
        context.output.print_text(&describe_task(context, &details))
    }
}

fn list_actions(actions: &[ActionView]) -> TextTable {
    let mut table = TextTable::new(&["command", "what it does"]).flexible(1);
    for action in actions {
        let Some(command) = &action.command else { continue };
        table.row([(TextStyle::Bold, command), (TextStyle::Dim, &action.label)]);
    }
    table
}
