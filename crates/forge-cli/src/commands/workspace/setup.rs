//! The command `forge workspace setup`.

use clap::Args;
use forge_api::{LogQuery, SetupStatus, WorkspaceSetup};
use forge_client::ApiClient;
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::plain_text;
use crate::terminal::wire_words::wire_name;

/// Show how the setup of a task's workspace went, and its output
///
/// The setup is defined in the project's settings (settings.setup). It runs before the agent starts.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceSetupArgs {
    /// Task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl WorkspaceSetupArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        let setup = fetch_setup_with_log(&client, task).await?;
        context.output.print_result(&setup, || describe_setup(context, &setup))
    }
}

/// The current setup, with its whole output so far.
async fn fetch_setup_with_log(client: &ApiClient, task: Uuid) -> Result<WorkspaceSetup, CliError> {
    let mut whole = client.workspaces().fetch_setup(task, &LogQuery::default()).await?;
    loop {
        let query = LogQuery { from: Some(whole.log.next), limit: None };
        if whole.log.end {
            return Ok(whole);
        }
        let mut next = client.workspaces().fetch_setup(task, &query).await?;
        let grew = next.log.next > whole.log.next;
        next.log.text.insert_str(0, &whole.log.text);
        next.log.from = whole.log.from;
        whole = next;
        if !grew {
            return Ok(whole);
        }
    }
}

fn describe_setup(context: &CliContext, setup: &WorkspaceSetup) -> String {
    let ink = match setup.status {
        SetupStatus::Finished | SetupStatus::NotNeeded => TextStyle::Success,
        SetupStatus::Pending | SetupStatus::Running => TextStyle::Plain,
        SetupStatus::Stopped => TextStyle::Warning,
        SetupStatus::Failed => TextStyle::Error,
    };
    let mut text = format!("status      {}", context.output.styled(ink, &wire_name(&setup.status)));
    let ports: Vec<_> = setup.ports.iter().map(u16::to_string).collect();
    if !ports.is_empty() {
        text.push_str(&format!("\nports       {}", ports.join(", ")));
    }
    for (name, at) in [("begun", &setup.created_at), ("ended", &setup.finished_at)] {
        if let Some(at) = at {
            text.push_str(&format!("\n{name:<12}{}", context.now.ago(at)));
        }
    }
    let said = plain_text(setup.log.text.trim_end());
    if !said.is_empty() {
        text.push_str(&format!("\n\n{said}"));
    }
    text
}
