//! The command `forge task depend`.

use clap::Args;
use forge_api::NewDependency;
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::task_ref::TaskRef;
use crate::terminal::text_table::one_line;

/// Make a task wait for another
#[derive(Debug, Args)]
pub(crate) struct TaskDependArgs {
    #[command(flatten)]
    target: TaskTarget,
    /// Task to wait for
    on: TaskRef,
    /// Remove the dependency
    #[arg(long)]
    remove: bool,
}

impl TaskDependArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let other = self.target.fetch_other(&client, self.on).await?;
        if self.remove {
            client.dependencies().remove(task, other).await?;
            let document = json!({ "task_id": task, "depends_on_id": other, "removed": true });
            return context.output.print_result(&document, || "Dependency removed".to_owned());
        }
        let request = NewDependency { depends_on_id: other };
        let dependency = client.dependencies().add(task, &request).await?;
        context.output.print_result(&dependency, || {
            let open = if dependency.satisfied { "finished" } else { "not finished" };
            format!("Dependency added; that task is {open} ({})", one_line(&dependency.status))
        })
    }
}
