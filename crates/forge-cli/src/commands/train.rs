//! `forge train`

use clap::{Subcommand, ValueEnum};
use forge_api::{CarStanding, MergeMode, MergeSettings, ProjectPatch, Quarantine};

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_project;
use crate::paint::Ink;
use crate::table::one_line;
use crate::words::time;

const DEFAULT_QUARANTINE_HOURS: u64 = 24;
const HOUR_SECONDS: u64 = 3600;

/// Landing many branches: who waits, what is tried, and which checks can be trusted
#[derive(Debug, Subcommand)]
pub(crate) enum Train {
    /// Show who waits to land, in the order in which they are to
    Status {
        /// The project's name or identifier
        project: String,
    },
    /// Try branches that wait together, each on top of those before it
    On {
        /// The project's name or identifier
        project: String,
        /// How many to try ahead at most
        #[arg(long, value_name = "NUMBER")]
        window: Option<u32>,
    },
    /// Try and land one branch at a time
    Off {
        /// The project's name or identifier
        project: String,
    },
    /// Say by what branches land: directly, or by pull requests on GitHub
    Mode {
        /// The project's name or identifier
        project: String,
        /// By what
        mode: Mode,
    },
    /// Let nothing land for now; what is being tried goes on
    Pause {
        /// The project's name or identifier
        project: String,
    },
    /// Let tasks land again
    Resume {
        /// The project's name or identifier
        project: String,
    },
    /// Show what is known of the checks: runs, failures, and results that changed on the same files
    Checks {
        /// The project's name or identifier
        project: String,
    },
    /// Blame nobody for the failure of a check for a while
    Quarantine {
        /// The project's name or identifier
        project: String,
        /// The check, as it is configured
        command: String,
        /// For how long; 0 ends it
        #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_QUARANTINE_HOURS)]
        hours: u64,
    },
}

/// By what branches land
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Mode {
    /// Forge moves the target branch itself, and pushes it
    Direct,
    /// A pull request on GitHub is opened, watched and merged
    PullRequest,
}

impl Train {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        match self {
            Self::Status { project } => {
                let found = fetch_project(&client, &project).await?;
                let trains = client.fetch_train(found.id).await?;
                let before = found.settings.merge.paused.then(|| paused(&found.name));
                show(context, before, &trains)
            }
            Self::Pause { project } => {
                let found = fetch_project(&client, &project).await?;
                show(context, Some(paused(&found.name)), &client.pause_train(found.id).await?)
            }
            Self::Resume { project } => {
                let found = fetch_project(&client, &project).await?;
                let told = format!("Tasks of {} land again\n", one_line(&found.name));
                show(context, Some(told), &client.resume_train(found.id).await?)
            }
            Self::On { project, window } => switch(context, &project, true, window).await,
            Self::Off { project } => switch(context, &project, false, None).await,
            Self::Mode { project, mode } => land_by(context, &project, mode).await,
            Self::Checks { project } => {
                let found = fetch_project(&client, &project).await?;
                show_checks(context, &client.fetch_checks(found.id).await?)
            }
            Self::Quarantine { project, command, hours } => {
                let found = fetch_project(&client, &project).await?;
                let seconds = hours.saturating_mul(HOUR_SECONDS);
                let asked = Quarantine { command, seconds };
                show_checks(context, &client.quarantine_check(found.id, &asked).await?)
            }
        }
    }
}

async fn switch(
    context: &Context,
    project: &str,
    train: bool,
    window: Option<u32>,
) -> Result<(), Failure> {
    let client = context.client()?;
    let found = fetch_project(&client, project).await?;
    let merge = MergeSettings { train, window, ..found.settings.merge };
    let settings = forge_api::ProjectSettings { merge, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.update_project(found.id, &patch).await?;
    context.output.result(&changed, || {
        let name = one_line(&changed.name);
        if train {
            format!("Branches of {name} that wait are tried together")
        } else {
            format!("Branches of {name} land one at a time")
        }
    })
}

fn paused(name: &str) -> String {
    let name = one_line(name);
    format!("Nothing of {name} lands for now: `forge train resume {name}` lets it go on\n")
}

async fn land_by(context: &Context, project: &str, mode: Mode) -> Result<(), Failure> {
    let client = context.client()?;
    let found = fetch_project(&client, project).await?;
    let mode = match mode {
        Mode::Direct => MergeMode::Direct,
        Mode::PullRequest => MergeMode::PullRequest,
    };
    let merge = MergeSettings { mode, ..found.settings.merge };
    let settings = forge_api::ProjectSettings { merge, ..found.settings };
    let patch = ProjectPatch { version: found.version, name: None, settings: Some(settings) };
    let changed = client.update_project(found.id, &patch).await?;
    context.output.result(&changed, || {
        let name = one_line(&changed.name);
        match mode {
            MergeMode::Direct => format!("Branches of {name} land directly"),
            MergeMode::PullRequest => format!("Branches of {name} land by pull requests"),
        }
    })
}

fn show(
    context: &Context,
    before: Option<String>,
    trains: &[forge_api::Train],
) -> Result<(), Failure> {
    if context.output.is_json() {
        return context.output.result(&trains, String::new);
    }
    let mut text = before.unwrap_or_default();
    if trains.is_empty() {
        text.push_str("nobody waits to land\n");
    }
    for train in trains {
        let about = match (&train.node, train.window) {
            (Some(node), _) => format!(" (run by server {})", one_line(node)),
            (None, Some(window)) => format!(" (tried at once: {window})"),
            (None, None) => String::new(),
        };
        text.push_str(&format!("{}{about}\n", one_line(&train.target)));
        for car in &train.cars {
            let name = match (&car.key, &car.title) {
                (Some(key), Some(title)) => format!("{key:6} {}", one_line(title)),
                _ => "(a task of another project)".to_owned(),
            };
            let (ink, word) = described(car.standing);
            let word = context.output.ink(ink, &format!("{word:9}"));
            text.push_str(&format!("  {word} {name}\n"));
        }
    }
    context.output.text(&text)
}

fn described(standing: CarStanding) -> (Ink, &'static str) {
    match standing {
        CarStanding::Waiting => (Ink::Faint, "waits"),
        CarStanding::Running => (Ink::Doubtful, "is tried"),
        CarStanding::Passed => (Ink::Good, "passed"),
        CarStanding::Failed => (Ink::Bad, "failed"),
        CarStanding::Clashes => (Ink::Bad, "clashes"),
        CarStanding::Empty => (Ink::Faint, "empty"),
        CarStanding::Unknown => (Ink::Faint, "rides"),
    }
}

fn show_checks(context: &Context, checks: &[forge_api::CheckRecord]) -> Result<(), Failure> {
    if context.output.is_json() {
        return context.output.result(&checks, String::new);
    }
    if checks.is_empty() {
        return context.output.text("no check has run on a landing yet\n");
    }
    let mut text = format!("{:>6} {:>8} {:>6}  CHECK\n", "RUNS", "FAILURES", "FLIPS");
    for check in checks {
        let command = one_line(&check.command);
        text.push_str(&format!(
            "{:>6} {:>8} {:>6}  {command}",
            check.runs, check.failures, check.flips
        ));
        if let Some(until) = &check.quarantined_until {
            let word = format!("  not trusted until {}", time(until));
            text.push_str(&context.output.ink(Ink::Doubtful, &word));
        }
        text.push('\n');
    }
    context.output.text(&text)
}
