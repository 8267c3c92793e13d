//! The command `forge dispatch`.

use clap::Subcommand;
use forge_api::{DispatchSettings, DispatchStatus, ProjectPatch};
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_projects};
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// Assign tasks to agents automatically: on, off, pause
#[derive(Debug, Subcommand)]
pub(crate) enum DispatchSubcommand {
    /// Show the state of dispatch on this server
    Status,
    /// Assign a project's claimable tasks to free agents
    On {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
        /// How many agent executions may run at once
        #[arg(long, value_name = "NUMBER")]
        max: Option<u32>,
        /// Hold a task back while its branch conflicts with a branch that is being worked on or is about to land
        #[arg(long)]
        hold_conflicts: bool,
    },
    /// Leave a project's tasks to users
    Off {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Pause dispatch for all projects; running executions continue
    Pause,
    /// Resume dispatch for all projects
    Resume,
}

impl DispatchSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Status => show(context, &client, client.dispatch().fetch().await?).await,
            Self::Pause => show(context, &client, client.dispatch().pause().await?).await,
            Self::Resume => show(context, &client, client.dispatch().resume().await?).await,
            Self::On { project, max, hold_conflicts } => {
                let dispatch =
                    DispatchSettings { enabled: true, max_concurrent: max, hold_conflicts };
                switch(context, project, dispatch).await
            }
            Self::Off { project } => switch(context, project, DispatchSettings::default()).await,
        }
    }
}

async fn switch(
    context: &CliContext,
    project: Option<String>,
    dispatch: DispatchSettings,
) -> Result<(), CliError> {
    let client = context.client()?;
    let found = ProjectOption { project }.fetch(&client).await?;
    let settings = forge_api::ProjectSettings { dispatch, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.projects().update(found.id, &patch).await?;
    context.output.print_result(&changed, || {
        let (on, name) = (dispatch.enabled, one_line(&changed.name));
        format!(
            "Tasks of {name} {} assigned to agents automatically",
            if on { "are" } else { "are not" }
        )
    })
}

/// Shows the state of the server, and the projects whose tasks it assigns.
async fn show(
    context: &CliContext,
    client: &ApiClient,
    dispatch: DispatchStatus,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return context.output.print_result(&dispatch, String::new);
    }
    let projects = fetch_projects(client).await?.items;
    let served = projects.iter().filter(|project| project.settings.dispatch.enabled);
    let served: Vec<_> = served.map(|project| one_line(&project.name)).collect();
    let served = match served.as_slice() {
        [] => "no project; `forge dispatch on PROJECT` turns it on".to_owned(),
        names => names.join(", "),
    };
    let condition = match &dispatch.paused_at {
        Some(at) => {
            context.output.styled(TextStyle::Warning, &format!("paused {}", context.now.ago(at)))
        }
        None => context.output.styled(TextStyle::Success, "running"),
    };
    let most = dispatch.max_concurrent.map_or_else(String::new, |most| format!(" of {most}"));
    let running = dispatch.running;
    let mut text =
        format!("dispatch  {condition}\non for    {served}\nagents    {running}{most} at work\n");
    for lack in &dispatch.lacks {
        let message = context.output.styled(TextStyle::Warning, &one_line(&lack.message));
        text.push_str(&format!("waits     {message}\n"));
    }
    context.output.print_text(&text)
}
