//! Runs the demo: start the server, watch, print the summary.

use std::time::Duration;

use clap::Args;
use forge_api::{DemoReport as Report, EventQuery, TaskQuery};

use crate::cli_error::CliError;
use crate::commands::demo::demo_progress::DemoProgress;
use crate::commands::demo::demo_server::DemoServer;
use crate::commands::demo::demo_summary;
use crate::context::CliContext;
use crate::stop_signals::StopSignals;

/// More tasks than the demo has.
const TASK_LIMIT: u32 = 200;
/// Events trigger an update; this interval covers changes without an event.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Watch Forge work on a temporary repository
///
/// Starts a separate server, lets scripted agents work on several tasks at once, and shows the progress and the
/// result of each task. Your files are not touched, and nothing is left behind.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Keep the directory with the repository and the server's data, and print its path
    #[arg(long)]
    keep: bool,
}

impl DemoArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let mut signals = StopSignals::listen()?;
        let stage = DemoServer::start(context).await?;
        let watched = tokio::select! {
            watched = watch(context, &stage) => watched,
            () = signals.next() => Err(CliError::interrupted()),
        };
        // Also after an interrupt: the agents must not outlive the demo. A second interrupt ends at once.
        let kept = tokio::select! {
            kept = stage.stop(self.keep) => kept,
            () = signals.next() => return Err(CliError::interrupted()),
        };
        let report = watched?;
        demo_summary::print(context, &report)?;
        if let Some(dir) = kept? {
            context.output.print_note(&format!("Kept in {}", dir.display()));
            context.output.print_note(&format!("The repository is {}", report.repo_path));
        }
        Ok(())
    }
}

async fn watch(context: &CliContext, stage: &DemoServer) -> Result<Report, CliError> {
    let client = &stage.client;
    // Subscribe before the start, so that no event is missed.
    let mut events = client.events().follow(EventQuery::default()).await?;
    let project = client.demo().start().await?.project_id;
    let query = TaskQuery { limit: Some(TASK_LIMIT), ..TaskQuery::default() };
    let mut progress = DemoProgress::new(context.output);
    loop {
        let report = client.demo().fetch(project).await?;
        progress.show(&client.tasks().fetch_page(project, &query).await?.items);
        if report.finished {
            return Ok(report);
        }
        if let Ok(event) = tokio::time::timeout(POLL_INTERVAL, events.next()).await {
            event?;
        }
    }
}
