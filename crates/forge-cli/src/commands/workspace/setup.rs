//! `forge workspace setup`

use clap::Args;
use forge_api::{LogQuery, SetupStatus, WorkspaceSetup};
use forge_client::Client;
use uuid::Uuid;

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::plain_text;
use crate::task_ref::TaskRef;
use crate::words::{time, word};

/// Show how the setup of a task's workspace went, and what it said
///
/// What it does is in the project's settings (settings.setup). It runs before the agent starts.
#[derive(Debug, Args)]
pub(crate) struct Setup {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl Setup {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        let setup = fetch_whole(&client, task).await?;
        context.output.result(&setup, || described(context, &setup))
    }
}

/// The setup as it is now, with everything it has said so far.
async fn fetch_whole(client: &Client, task: Uuid) -> Result<WorkspaceSetup, Failure> {
    let mut whole = client.fetch_setup(task, &LogQuery::default()).await?;
    loop {
        let query = LogQuery { from: Some(whole.log.next), limit: None };
        if whole.log.end {
            return Ok(whole);
        }
        let mut next = client.fetch_setup(task, &query).await?;
        let grew = next.log.next > whole.log.next;
        next.log.text.insert_str(0, &whole.log.text);
        next.log.from = whole.log.from;
        whole = next;
        if !grew {
            return Ok(whole);
        }
    }
}

fn described(context: &Context, setup: &WorkspaceSetup) -> String {
    let ink = match setup.status {
        SetupStatus::Finished | SetupStatus::NotNeeded => Ink::Good,
        SetupStatus::Pending | SetupStatus::Running => Ink::Plain,
        SetupStatus::Stopped => Ink::Doubtful,
        SetupStatus::Failed => Ink::Bad,
    };
    let mut text = format!("status      {}", context.output.ink(ink, &word(&setup.status)));
    let ports: Vec<_> = setup.ports.iter().map(u16::to_string).collect();
    if !ports.is_empty() {
        text.push_str(&format!("\nports       {}", ports.join(", ")));
    }
    for (name, at) in [("wanted", &setup.created_at), ("ended", &setup.finished_at)] {
        if let Some(at) = at {
            text.push_str(&format!("\n{name:<12}{}", time(at)));
        }
    }
    let said = plain_text(setup.log.text.trim_end());
    if !said.is_empty() {
        text.push_str(&format!("\n\n{said}"));
    }
    text
}
