//! `forge task stop`, `restart` and `mark-failed`: what to do with a run that goes wrong.

use clap::Args;
use forge_api::{FailExecution, Rescued, RestartExecution, RestartMode, StopExecution};

use super::last_run::LastRun;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;

/// Stop a task's run; the task stays where it is, and nothing goes on by itself
#[derive(Debug, Args)]
pub(crate) struct Stop {
    #[command(flatten)]
    run: LastRun,
    /// Why, for the task
    #[arg(long, short)]
    reason: Option<String>,
}

/// Begin a task's last run anew, with the work as it is
#[derive(Debug, Args)]
pub(crate) struct Restart {
    #[command(flatten)]
    run: LastRun,
    /// Go on with the conversation it had, instead of a new one
    #[arg(long)]
    resume: bool,
}

/// Take a task's run for failed, whatever it says
#[derive(Debug, Args)]
pub(crate) struct MarkFailed {
    #[command(flatten)]
    run: LastRun,
    /// Why, for the task
    #[arg(long, short)]
    reason: Option<String>,
}

impl Stop {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let rescued = client.stop_execution(id, &StopExecution { reason: self.reason }).await?;
        tell(context, &rescued, "stopped")?;
        let key = &rescued.task.key;
        context.output.note(&format!("Next: `forge task restart {key}` begins it anew."));
        Ok(())
    }
}

impl Restart {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let mode = if self.resume { RestartMode::Resume } else { RestartMode::Fresh };
        let rescued = client.restart_execution(id, &RestartExecution { mode }).await?;
        tell(context, &rescued, "begun anew")
    }
}

impl MarkFailed {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.run.fetch_id(&client).await?;
        let rescued = client.fail_execution(id, &FailExecution { reason: self.reason }).await?;
        tell(context, &rescued, "taken for failed")
    }
}

fn tell(context: &Context, rescued: &Rescued, what: &str) -> Result<(), Failure> {
    let Rescued { task, execution } = rescued;
    context.output.result(rescued, || {
        format!("{}  {}  {what}: run {}", task.key, one_line(&task.status), execution.id)
    })
}
