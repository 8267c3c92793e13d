//! The command: raise the curtain, watch, sum up.

use clap::Args;
use forge_api::{EventQuery, TaskQuery};
use forge_client::DemoStarted;

use super::progress::Progress;
use super::stage::Stage;
use super::summary::Summary;
use crate::context::Context;
use crate::failure::Failure;

/// More tasks than the demonstration has.
const ALL: u32 = 200;

/// See Forge work, on a throw-away repository
///
/// Starts a server of its own, lets scripted agents work on several tasks at once, shows what happens and what became
/// of each. Nothing of yours is touched, and nothing is left behind.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the directory with the repository and the server's data, and say where it is
    #[arg(long)]
    keep: bool,
}

impl Demo {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let stage = Stage::set(context).await?;
        let watched = watch(context, &stage).await;
        let kept = stage.strike(self.keep).await;
        let (started, summary) = watched?;
        summary.print(context)?;
        if let Some(dir) = kept? {
            context.output.note(&format!("Kept in {}", dir.display()));
            context.output.note(&format!("  git -C {} log --oneline", started.repo_path));
        }
        Ok(())
    }
}

async fn watch(context: &Context, stage: &Stage) -> Result<(DemoStarted, Summary), Failure> {
    let client = &stage.client;
    // Before the start, so that nothing is missed.
    let mut events = client.follow_events(EventQuery::default()).await?;
    let started = client.start_demo().await?;
    let query = TaskQuery { limit: Some(ALL), ..TaskQuery::default() };
    let mut progress = Progress::new(context.output);
    loop {
        let tasks = client.fetch_tasks(started.project_id, &query).await?.items;
        progress.show(&tasks);
        if !tasks.is_empty() && tasks.iter().all(Progress::is_settled) {
            drop(progress);
            let summary = Summary::fetch(client, &started, tasks).await?;
            return Ok((started, summary));
        }
        events.next().await?;
    }
}
