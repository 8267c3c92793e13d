//! `forge workspace reset`

use clap::Args;

use crate::confirm::confirm;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::table::one_line;
use crate::task_ref::TaskRef;

/// Throw a task's workspace away and make a new one from the target branch
///
/// What is in it is kept: commits under refs/forge/archive/, the rest under refs/forge/journal/. The task can be
/// claimed again.
#[derive(Debug, Args)]
pub(crate) struct Reset {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

impl Reset {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.project.fetch_task(&client, self.task).await?;
        if !self.yes {
            let title = one_line(&task.title);
            let question = format!(
                "Start {} ({title}) afresh? Its commits will not be in the new workspace.",
                task.key
            );
            confirm(&question).await?;
        }
        let task = client.reset_workspace(task.id).await?;
        context.output.result(&task, || format!("{}  {}", task.key, one_line(&task.status)))?;
        match &task.error_annotation {
            Some(trouble) => {
                context.output.note(&format!("Not done: {}", one_line(&trouble.message)))
            }
            None => context
                .output
                .note(&format!("Next: claim it with `forge task claim {}`.", task.key)),
        }
        Ok(())
    }
}
