//! The command `forge doctor`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use forge_api::WebhookStatus;
use forge_client::ApiClient;
use serde::Serialize;

use crate::cli_error::CliError;
use crate::commands::serve;
use crate::commands::webhook::webhook_target::fetch_webhooks;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::lookup::fetch_projects;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::{actor_name, wire_name};

/// With less free space than this, agents that build software soon fail.
const LOW_DISK_BYTES: u64 = 5 * 1024 * 1024 * 1024;
const FULL_DISK_BYTES: u64 = 512 * 1024 * 1024;
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Check this machine and the server for problems
///
/// The exit code is 1 if a check failed; warnings do not count.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum FindingLevel {
    Ok,
    Warn,
    Fail,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct DoctorFinding {
    name: &'static str,
    verdict: FindingLevel,
    message: String,
    /// How to fix it.
    next: Option<String>,
}

impl DoctorFinding {
    fn new(name: &'static str, verdict: FindingLevel, message: impl Into<String>) -> Self {
        Self { name, verdict, message: message.into(), next: None }
    }

    fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

#[derive(Debug, Serialize)]
struct DoctorReport {
    findings: Vec<DoctorFinding>,
}

impl DoctorArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let mut findings = vec![check_git(context)];
        findings.extend(check_data_dir(context));
        findings.extend(check_server(context).await);
        let mut table = TextTable::new(&["", "what", "finding"]).flexible(2);
        for finding in &findings {
            let ink = match finding.verdict {
                FindingLevel::Ok => TextStyle::Success,
                FindingLevel::Warn => TextStyle::Warning,
                FindingLevel::Fail => TextStyle::Error,
            };
            let next = finding.next.as_ref().map(|next| format!("; {next}")).unwrap_or_default();
            table.row([
                (ink, &wire_name(&finding.verdict)),
                (TextStyle::Bold, finding.name),
                (TextStyle::Plain, &format!("{}{next}", finding.message)),
            ]);
        }
        let failed = findings.iter().any(|finding| finding.verdict == FindingLevel::Fail);
        context.output.print_table(&DoctorReport { findings }, &table)?;
        if failed {
            return Err(CliError::already_printed(CliExit::Refused));
        }
        Ok(())
    }
}

fn check_git(context: &CliContext) -> DoctorFinding {
    match context.environment.find_program("git") {
        Some(path) => DoctorFinding::new("git", FindingLevel::Ok, path.display().to_string()),
        None => DoctorFinding::new("git", FindingLevel::Fail, "is not on PATH").next("install git"),
    }
}

fn check_data_dir(context: &CliContext) -> Vec<DoctorFinding> {
    let name = "data directory";
    let settings = match serve::load_settings(context, Vec::new()) {
        Ok(settings) => settings,
        Err(refused) => {
            return vec![DoctorFinding::new("settings", FindingLevel::Fail, refused.to_string())];
        }
    };
    let dir = &settings.data_dir;
    let shown = dir.display();
    let Some(existing) = nearest_existing_dir(dir) else {
        return vec![DoctorFinding::new(
            name,
            FindingLevel::Fail,
            format!("{shown} cannot be made"),
        )];
    };
    let writable = match tempfile::tempfile_in(&existing) {
        Ok(_) if existing == *dir => DoctorFinding::new(name, FindingLevel::Ok, shown.to_string()),
        Ok(_) => DoctorFinding::new(
            name,
            FindingLevel::Ok,
            format!("{shown} will be made by `forge serve`"),
        ),
        Err(error) => DoctorFinding::new(name, FindingLevel::Fail, format!("{shown}: {error}"))
            .next("choose another with --data-dir or FORGE_DATA_DIR"),
    };
    vec![writable, check_disk(&existing)]
}

fn nearest_existing_dir(dir: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(dir).ok()?;
    absolute.ancestors().find(|place| place.is_dir()).map(Path::to_owned)
}

fn check_disk(place: &Path) -> DoctorFinding {
    let name = "free disk";
    let free = match rustix::fs::statvfs(place) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => return DoctorFinding::new(name, FindingLevel::Warn, error.to_string()),
    };
    let message = format!("{} MiB", free / (1024 * 1024));
    let verdict = match free {
        ..FULL_DISK_BYTES => FindingLevel::Fail,
        FULL_DISK_BYTES..LOW_DISK_BYTES => FindingLevel::Warn,
        LOW_DISK_BYTES.. => FindingLevel::Ok,
    };
    let finding = DoctorFinding::new(name, verdict, message);
    if verdict == FindingLevel::Ok {
        return finding;
    }
    finding.next("free some space: every task needs its own checkout")
}

async fn check_server(context: &CliContext) -> Vec<DoctorFinding> {
    let client = match context.client() {
        Ok(client) => client.with_answer_time(SERVER_TIMEOUT),
        Err(failure) => {
            let message = failure.lines().map(|(message, _)| message).unwrap_or_default();
            return vec![DoctorFinding::new("server", FindingLevel::Fail, message)];
        }
    };
    let mut findings = match client.system().fetch_readiness().await {
        Ok(ready) => ready_findings(&client, &ready),
        Err(error) => {
            return vec![DoctorFinding::new("server", FindingLevel::Fail, error.to_string())];
        }
    };
    findings.extend(check_caller(&client).await);
    findings
}

fn ready_findings(client: &ApiClient, ready: &forge_api::ReadinessReport) -> Vec<DoctorFinding> {
    let verdict = if ready.ready { FindingLevel::Ok } else { FindingLevel::Fail };
    let mut findings = vec![DoctorFinding::new("server", verdict, client.url().to_string())];
    for check in ready.checks.iter().filter(|check| !check.ok) {
        let message = check.message.clone().unwrap_or_else(|| "not ready".to_owned());
        findings.push(DoctorFinding::new(
            "server",
            FindingLevel::Fail,
            format!("{}: {message}", check.name),
        ));
    }
    findings
}

async fn check_caller(client: &ApiClient) -> Vec<DoctorFinding> {
    let sign_in = "sign in with `forge login`, or set FORGE_TOKEN";
    if !client.has_credential() {
        return vec![
            DoctorFinding::new("token", FindingLevel::Warn, "there is none").next(sign_in),
        ];
    }
    let token = match client.accounts().fetch_me().await {
        Ok(me) => DoctorFinding::new(
            "token",
            FindingLevel::Ok,
            format!("works, as {}", actor_name(&me.actor)),
        ),
        Err(error) => {
            return vec![
                DoctorFinding::new("token", FindingLevel::Fail, error.to_string()).next(sign_in),
            ];
        }
    };
    let info = match client.system().fetch_info().await {
        Ok(info) => {
            let git = info.git_version.as_deref().unwrap_or("did not answer");
            let verdict =
                if info.git_version.is_some() { FindingLevel::Ok } else { FindingLevel::Fail };
            let message = format!(
                "forge {}, git {git}, {} {}",
                info.version, info.database, info.database_version
            );
            DoctorFinding::new("versions", verdict, message)
        }
        Err(error) => DoctorFinding::new("versions", FindingLevel::Warn, error.to_string()),
    };
    let mut findings = vec![token, info];
    findings.extend(check_orphans(client).await);
    findings.extend(check_webhooks(client).await);
    findings
}

/// Webhooks that fail, or that the server disabled.
async fn check_webhooks(client: &ApiClient) -> Vec<DoctorFinding> {
    let name = "webhooks";
    let warn = |message: String| DoctorFinding::new(name, FindingLevel::Warn, message);
    let projects = match fetch_projects(client).await {
        Ok(projects) => projects.items,
        Err(error) => return vec![warn(error.to_string())],
    };
    let mut findings = Vec::new();
    for project in projects {
        let webhooks = match fetch_webhooks(client, project.id).await {
            Ok(webhooks) => webhooks.items,
            Err(error) => return vec![warn(error.to_string())],
        };
        for webhook in webhooks {
            let reason = match webhook.status {
                WebhookStatus::Active => None,
                WebhookStatus::Failing => webhook.last_error.map(|error| format!("fails: {error}")),
                WebhookStatus::Disabled => {
                    webhook.disabled_reason.map(|reason| format!("was disabled: {reason}"))
                }
            };
            let Some(reason) = reason else { continue };
            let (webhook, slug) = (one_line(&webhook.name), one_line(&project.slug));
            let next = format!("see `forge webhook show {webhook} --project {slug}`");
            findings.push(warn(format!("{webhook} of {slug} {reason}")).next(next));
        }
    }
    findings
}

/// Directories without a task that the last start found and left alone (W-10); only admins see them.
async fn check_orphans(client: &ApiClient) -> Option<DoctorFinding> {
    let name = "orphans";
    let found = match client.system().fetch_recovery().await {
        Ok(report) => report.orphans?,
        Err(error) => return Some(DoctorFinding::new(name, FindingLevel::Warn, error.to_string())),
    };
    let first = found.first()?;
    let count = match found.len() {
        1 => "1 directory of no live task".to_owned(),
        count => format!("{count} directories of no live task"),
    };
    let message = format!("{count} at the last start, such as {}", first.path);
    Some(
        DoctorFinding::new(name, FindingLevel::Warn, message).next("see `forge workspace orphans`"),
    )
}
