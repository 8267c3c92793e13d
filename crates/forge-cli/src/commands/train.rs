//! The command `forge train`.

use clap::{Subcommand, ValueEnum};
use forge_api::{
    MergeMode, MergeSettings, MergeTrainEntryState, Project, ProjectPatch, QuarantineRequest,
};
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_project};
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

const DEFAULT_QUARANTINE_HOURS: u64 = 24;
const HOUR_SECONDS: u64 = 3600;

/// Merge train: waiting branches, trials, unreliable checks
#[derive(Debug, Subcommand)]
pub(crate) enum TrainSubcommand {
    /// Show the branches that wait to land, in landing order
    Status {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Test waiting branches together, each on top of those before it
    On {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
        /// Maximum number of branches to test at once
        #[arg(long, value_name = "NUMBER")]
        window: Option<u32>,
    },
    /// Test and land one branch at a time
    Off {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Set how branches land: directly, or by pull requests on GitHub
    Mode {
        /// Project name or identifier
        project: String,
        /// How branches land
        mode: LandingModeChoice,
    },
    /// Pause landing; trials that run continue
    Pause {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Resume landing after a pause
    Resume {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Show statistics of the checks: runs, failures, and results that changed on the same files
    Checks {
        /// Project name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Ignore failures of a check for a limited time
    Quarantine {
        /// Project name or identifier
        project: String,
        /// The check's command, as configured
        command: String,
        /// Number of hours; 0 ends it
        #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_QUARANTINE_HOURS)]
        hours: u64,
    },
}

/// How branches land
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LandingModeChoice {
    /// Forge updates the target branch itself, and pushes it
    Direct,
    /// Forge opens, watches and merges a pull request on GitHub
    PullRequest,
}

impl TrainSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Status { project } => {
                let found = fetch_selected_project(&client, project).await?;
                let trains = client.trains().fetch(found.id).await?;
                let before = found.settings.merge.paused.then(|| paused_message(&found.name));
                print_train(context, before, &trains)
            }
            Self::Pause { project } => {
                let found = fetch_selected_project(&client, project).await?;
                print_train(
                    context,
                    Some(paused_message(&found.name)),
                    &client.trains().pause(found.id).await?,
                )
            }
            Self::Resume { project } => {
                let found = fetch_selected_project(&client, project).await?;
                let told = format!("Landing is resumed for {}\n", one_line(&found.name));
                print_train(context, Some(told), &client.trains().resume(found.id).await?)
            }
            Self::On { project, window } => set_train(context, project, true, window).await,
            Self::Off { project } => set_train(context, project, false, None).await,
            Self::Mode { project, mode } => set_landing_mode(context, &project, mode).await,
            Self::Checks { project } => {
                let found = fetch_selected_project(&client, project).await?;
                print_checks(context, &client.checks().fetch(found.id).await?)
            }
            Self::Quarantine { project, command, hours } => {
                let found = fetch_project(&client, &project).await?;
                let seconds = hours.saturating_mul(HOUR_SECONDS);
                let asked = QuarantineRequest { command, seconds };
                print_checks(context, &client.checks().quarantine(found.id, &asked).await?)
            }
        }
    }
}

/// The named project, otherwise the project of the current directory.
async fn fetch_selected_project(
    client: &ApiClient,
    project: Option<String>,
) -> Result<Project, CliError> {
    ProjectOption { project }.fetch(client).await
}

async fn set_train(
    context: &CliContext,
    project: Option<String>,
    train: bool,
    window: Option<u32>,
) -> Result<(), CliError> {
    let client = context.client()?;
    let found = fetch_selected_project(&client, project).await?;
    let merge = MergeSettings { train, window, ..found.settings.merge };
    let settings = forge_api::ProjectSettings { merge, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.projects().update(found.id, &patch).await?;
    context.output.print_result(&changed, || {
        let name = one_line(&changed.name);
        if train {
            format!("Waiting branches of {name} are tested together")
        } else {
            format!("Branches of {name} land one at a time")
        }
    })
}

fn paused_message(name: &str) -> String {
    let name = one_line(name);
    format!("Landing is paused for {name}: `forge train resume {name}` resumes it\n")
}

async fn set_landing_mode(
    context: &CliContext,
    project: &str,
    mode: LandingModeChoice,
) -> Result<(), CliError> {
    let client = context.client()?;
    let found = fetch_project(&client, project).await?;
    let mode = match mode {
        LandingModeChoice::Direct => MergeMode::Direct,
        LandingModeChoice::PullRequest => MergeMode::PullRequest,
    };
    let merge = MergeSettings { mode, ..found.settings.merge };
    let settings = forge_api::ProjectSettings { merge, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.projects().update(found.id, &patch).await?;
    context.output.print_result(&changed, || {
        let name = one_line(&changed.name);
        match mode {
            MergeMode::Direct => format!("Branches of {name} land directly"),
            MergeMode::PullRequest => format!("Branches of {name} land by pull requests"),
        }
    })
}

fn print_train(
    context: &CliContext,
    before: Option<String>,
    trains: &[forge_api::MergeTrainStatus],
) -> Result<(), CliError> {
    if context.output.is_json() {
        return context.output.print_result(&trains, String::new);
    }
    let mut text = before.unwrap_or_default();
    if trains.is_empty() {
        text.push_str("no branch waits to land\n");
    }
    for train in trains {
        let about = match (&train.node, train.window) {
            (Some(node), _) => format!(" (run by server {})", one_line(node)),
            (None, Some(window)) => format!(" (up to {window} are tested together)"),
            (None, None) => String::new(),
        };
        text.push_str(&format!("{}{about}\n", one_line(&train.target)));
        for entry in &train.entries {
            let name = match (&entry.key, &entry.title) {
                (Some(key), Some(title)) => format!("{key:6} {}", one_line(title)),
                _ => "(a task of another project)".to_owned(),
            };
            let (ink, word) = describe_entry_state(entry.state);
            let word = context.output.styled(ink, &format!("{word:9}"));
            text.push_str(&format!("  {word} {name}\n"));
        }
    }
    context.output.print_text(&text)
}

fn describe_entry_state(state: MergeTrainEntryState) -> (TextStyle, &'static str) {
    match state {
        MergeTrainEntryState::Waiting => (TextStyle::Dim, "queued"),
        MergeTrainEntryState::Running => (TextStyle::Warning, "testing"),
        MergeTrainEntryState::Passed => (TextStyle::Success, "passed"),
        MergeTrainEntryState::Failed => (TextStyle::Error, "failed"),
        MergeTrainEntryState::Clashes => (TextStyle::Error, "conflict"),
        MergeTrainEntryState::Empty => (TextStyle::Dim, "empty"),
        MergeTrainEntryState::Unknown => (TextStyle::Dim, "unknown"),
    }
}

fn print_checks(context: &CliContext, checks: &[forge_api::CheckRecord]) -> Result<(), CliError> {
    if context.output.is_json() {
        return context.output.print_result(&checks, String::new);
    }
    if checks.is_empty() {
        return context.output.print_text("no check has run on a landing yet\n");
    }
    let mut text = format!("{:>6} {:>8} {:>6}  CHECK\n", "RUNS", "FAILURES", "FLIPS");
    for check in checks {
        let command = one_line(&check.command);
        text.push_str(&format!(
            "{:>6} {:>8} {:>6}  {command}",
            check.runs, check.failures, check.flips
        ));
        if let Some(until) = &check.quarantined_until {
            let word = format!("  failures ignored, ends {}", context.now.until(until));
            text.push_str(&context.output.styled(TextStyle::Warning, &word));
        }
        text.push('\n');
    }
    context.output.print_text(&text)
}
