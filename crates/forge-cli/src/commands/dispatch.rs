//! The command `forge dispatch`.

use clap::Subcommand;
use forge_api::{DispatchSettings, ProjectPatch};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::readable_time;

/// Assign tasks to agents automatically: turn it on for a project, show it, pause it
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
            Self::Status => show(context, &client.dispatch().fetch().await?),
            Self::Pause => show(context, &client.dispatch().pause().await?),
            Self::Resume => show(context, &client.dispatch().resume().await?),
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

fn show(context: &CliContext, dispatch: &forge_api::DispatchStatus) -> Result<(), CliError> {
    if context.output.is_json() {
        return context.output.print_result(dispatch, String::new);
    }
    let condition = match &dispatch.paused_at {
        Some(at) => context
            .output
            .styled(TextStyle::Warning, &format!("paused since {}", readable_time(at))),
        None => context.output.styled(TextStyle::Success, "on"),
    };
    let most = dispatch.max_concurrent.map_or_else(String::new, |most| format!(" of {most}"));
    let mut text = format!("dispatch  {condition}\nrunning   {}{most}\n", dispatch.running);
    for lack in &dispatch.lacks {
        let message = context.output.styled(TextStyle::Warning, &one_line(&lack.message));
        text.push_str(&format!("waits     {message}\n"));
    }
    context.output.print_text(&text)
}
