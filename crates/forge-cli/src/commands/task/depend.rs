//! `forge task depend`

use clap::Args;
use forge_api::NewDependency;
use serde_json::json;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;
use crate::task_ref::TaskRef;

/// Make a task wait for another
#[derive(Debug, Args)]
pub(crate) struct Depend {
    #[command(flatten)]
    target: Target,
    /// The task to wait for
    on: TaskRef,
    /// Wait for it no longer
    #[arg(long)]
    remove: bool,
}

impl Depend {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let other = self.target.fetch_other(&client, self.on).await?;
        if self.remove {
            client.remove_dependency(task, other).await?;
            let document = json!({ "task_id": task, "depends_on_id": other, "removed": true });
            return context.output.result(&document, || "It waits for it no longer".to_owned());
        }
        let request = NewDependency { depends_on_id: other };
        let dependency = client.add_dependency(task, &request).await?;
        context.output.result(&dependency, || {
            let open = if dependency.satisfied { "finished" } else { "not finished" };
            format!("It waits for a task that is {open} ({})", one_line(&dependency.status))
        })
    }
}
