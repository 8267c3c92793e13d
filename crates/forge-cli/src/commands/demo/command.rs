//! The command: raise the curtain, watch, sum up.

use std::time::Duration;

use clap::Args;
use forge_api::{Demo as Report, EventQuery, TaskQuery};

use super::progress::Progress;
use super::stage::Stage;
use super::summary;
use crate::context::Context;
use crate::failure::Failure;
use crate::signals::Signals;

/// More tasks than the demonstration has.
const ALL: u32 = 200;
/// Events say when to look; this is for what happens without one.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_secs(2);

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
        let mut signals = Signals::listen()?;
        let stage = Stage::set(context).await?;
        let watched = tokio::select! {
            watched = watch(context, &stage) => watched,
            () = signals.next() => Err(Failure::interrupted()),
        };
        // Also after an interrupt: the agents must not outlive it. A second one ends at once.
        let kept = tokio::select! {
            kept = stage.strike(self.keep) => kept,
            () = signals.next() => return Err(Failure::interrupted()),
        };
        let report = watched?;
        summary::print(context, &report)?;
        if let Some(dir) = kept? {
            context.output.note(&format!("Kept in {}", dir.display()));
            context.output.note(&format!("The repository is {}", report.repo_path));
        }
        Ok(())
    }
}

async fn watch(context: &Context, stage: &Stage) -> Result<Report, Failure> {
    let client = &stage.client;
    // Before the start, so that nothing is missed.
    let mut events = client.follow_events(EventQuery::default()).await?;
    let project = client.start_demo().await?.project_id;
    let query = TaskQuery { limit: Some(ALL), ..TaskQuery::default() };
    let mut progress = Progress::new(context.output);
    loop {
        let report = client.fetch_demo(project).await?;
        progress.show(&client.fetch_tasks(project, &query).await?.items);
        if report.finished {
            return Ok(report);
        }
        if let Ok(event) = tokio::time::timeout(LOOK_AT_LEAST_EVERY, events.next()).await {
            event?;
        }
    }
}
