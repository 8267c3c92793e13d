//! `forge task cancel`, `archive` and `unarchive`: taking a task off the board, and putting it back.

use clap::Args;
use forge_api::Task;

use super::outcome;
use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;

/// End a task; its processes are stopped first, its work is kept
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    #[command(flatten)]
    target: Target,
    /// Why, for the history
    #[arg(long, short)]
    reason: Option<String>,
}

/// Hide a task from lists
#[derive(Debug, Args)]
pub(crate) struct Archive {
    #[command(flatten)]
    target: Target,
}

/// Show an archived task in lists again
#[derive(Debug, Args)]
pub(crate) struct Unarchive {
    #[command(flatten)]
    target: Target,
}

impl Cancel {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let request = forge_api::Cancel { reason: self.reason };
        tell(context, &client.cancel_task(id, &request).await?)
    }
}

impl Archive {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        tell(context, &client.archive_task(id).await?)
    }
}

impl Unarchive {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        tell(context, &client.unarchive_task(id).await?)
    }
}

fn tell(context: &Context, task: &Task) -> Result<(), Failure> {
    let archived = if task.archived_at.is_some() { "  archived" } else { "" };
    let outcome = outcome::lines(task);
    context
        .output
        .result(task, || format!("{}  {}{archived}{outcome}", task.key, one_line(&task.status)))
}
