//! `forge dispatch`

use clap::Subcommand;
use forge_api::{DispatchSettings, ProjectPatch};

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_project;
use crate::paint::Ink;
use crate::table::one_line;
use crate::words::time;

/// Giving tasks to agents by themselves: switch it on for a project, look at it, pause it
#[derive(Debug, Subcommand)]
pub(crate) enum Dispatch {
    /// Show how it stands on this server
    Status,
    /// Give a project's claimable tasks to agents that are free
    On {
        /// The project's name or identifier
        project: String,
        /// How many executions of agents it may have at once
        #[arg(long, value_name = "NUMBER")]
        max: Option<u32>,
        /// Let a task wait while its branch clashes with that of one that is at work or about to land
        #[arg(long)]
        hold_conflicts: bool,
    },
    /// Leave a project's tasks to people
    Off {
        /// The project's name or identifier
        project: String,
    },
    /// Pause it for all projects; what runs goes on
    Pause,
    /// Resume it
    Resume,
}

impl Dispatch {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        match self {
            Self::Status => show(context, &client.fetch_dispatch().await?),
            Self::Pause => show(context, &client.pause_dispatch().await?),
            Self::Resume => show(context, &client.resume_dispatch().await?),
            Self::On { project, max, hold_conflicts } => {
                let dispatch =
                    DispatchSettings { enabled: true, max_concurrent: max, hold_conflicts };
                switch(context, &project, dispatch).await
            }
            Self::Off { project } => switch(context, &project, DispatchSettings::default()).await,
        }
    }
}

async fn switch(
    context: &Context,
    project: &str,
    dispatch: DispatchSettings,
) -> Result<(), Failure> {
    let client = context.client()?;
    let found = fetch_project(&client, project).await?;
    let settings = forge_api::ProjectSettings { dispatch, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.update_project(found.id, &patch).await?;
    context.output.result(&changed, || {
        let (on, name) = (dispatch.enabled, one_line(&changed.name));
        format!("Tasks of {name} {} to agents by themselves", if on { "go" } else { "do not go" })
    })
}

fn show(context: &Context, dispatch: &forge_api::Dispatch) -> Result<(), Failure> {
    if context.output.is_json() {
        return context.output.result(dispatch, String::new);
    }
    let condition = match &dispatch.paused_at {
        Some(at) => context.output.ink(Ink::Doubtful, &format!("paused since {}", time(at))),
        None => context.output.ink(Ink::Good, "on"),
    };
    let most = dispatch.max_concurrent.map_or_else(String::new, |most| format!(" of {most}"));
    let mut text = format!("dispatch  {condition}\nrunning   {}{most}\n", dispatch.running);
    for lack in &dispatch.lacks {
        let message = context.output.ink(Ink::Doubtful, &one_line(&lack.message));
        text.push_str(&format!("waits     {message}\n"));
    }
    context.output.text(&text)
}
