//! `forge doctor`

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use forge_client::Client;
use serde::Serialize;

use super::serve;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::{actor, word};

/// Less than this soon stops agents that build things.
const LITTLE_DISK: u64 = 5 * 1024 * 1024 * 1024;
const NO_DISK: u64 = 512 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

/// Check what Forge needs on this machine, and the server
///
/// The exit code is 1 if anything failed; warnings do not count.
#[derive(Debug, Args)]
pub(crate) struct Doctor {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    name: &'static str,
    verdict: Verdict,
    message: String,
    /// What to do about it.
    next: Option<String>,
}

impl Finding {
    fn new(name: &'static str, verdict: Verdict, message: impl Into<String>) -> Self {
        Self { name, verdict, message: message.into(), next: None }
    }

    fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

#[derive(Debug, Serialize)]
struct Report {
    findings: Vec<Finding>,
}

impl Doctor {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let mut findings = vec![git(context)];
        findings.extend(data_dir(context));
        findings.extend(server(context).await);
        let mut table = Table::new(&["", "what", "finding"]).flexible(2);
        for finding in &findings {
            let ink = match finding.verdict {
                Verdict::Ok => Ink::Good,
                Verdict::Warn => Ink::Doubtful,
                Verdict::Fail => Ink::Bad,
            };
            let next = finding.next.as_ref().map(|next| format!("; {next}")).unwrap_or_default();
            table.row([
                (ink, &word(&finding.verdict)),
                (Ink::Strong, finding.name),
                (Ink::Plain, &format!("{}{next}", finding.message)),
            ]);
        }
        let failed = findings.iter().any(|finding| finding.verdict == Verdict::Fail);
        context.output.table(&Report { findings }, &table)?;
        if failed {
            return Err(Failure::already_told(Exit::Refused));
        }
        Ok(())
    }
}

fn git(context: &Context) -> Finding {
    match context.environment.find_program("git") {
        Some(path) => Finding::new("git", Verdict::Ok, path.display().to_string()),
        None => Finding::new("git", Verdict::Fail, "is not on PATH").next("install git"),
    }
}

fn data_dir(context: &Context) -> Vec<Finding> {
    let name = "data directory";
    let settings = match serve::load_settings(context, Vec::new()) {
        Ok(settings) => settings,
        Err(refused) => return vec![Finding::new("settings", Verdict::Fail, refused.to_string())],
    };
    let dir = &settings.data_dir;
    let shown = dir.display();
    let Some(existing) = nearest(dir) else {
        return vec![Finding::new(name, Verdict::Fail, format!("{shown} cannot be made"))];
    };
    let writable = match tempfile::tempfile_in(&existing) {
        Ok(_) if existing == *dir => Finding::new(name, Verdict::Ok, shown.to_string()),
        Ok(_) => Finding::new(name, Verdict::Ok, format!("{shown} will be made by `forge serve`")),
        Err(error) => Finding::new(name, Verdict::Fail, format!("{shown}: {error}"))
            .next("choose another with --data-dir or FORGE_DATA_DIR"),
    };
    vec![writable, disk(&existing)]
}

fn nearest(dir: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(dir).ok()?;
    absolute.ancestors().find(|place| place.is_dir()).map(Path::to_owned)
}

fn disk(place: &Path) -> Finding {
    let name = "free disk";
    let free = match rustix::fs::statvfs(place) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => return Finding::new(name, Verdict::Warn, error.to_string()),
    };
    let message = format!("{} MiB", free / (1024 * 1024));
    let verdict = match free {
        ..NO_DISK => Verdict::Fail,
        NO_DISK..LITTLE_DISK => Verdict::Warn,
        LITTLE_DISK.. => Verdict::Ok,
    };
    let finding = Finding::new(name, verdict, message);
    if verdict == Verdict::Ok {
        return finding;
    }
    finding.next("make room: every task needs a checkout of its own")
}

async fn server(context: &Context) -> Vec<Finding> {
    let client = match context.client() {
        Ok(client) => client.answering_within(PATIENCE),
        Err(failure) => {
            let message = failure.lines().map(|(message, _)| message).unwrap_or_default();
            return vec![Finding::new("server", Verdict::Fail, message)];
        }
    };
    let mut findings = match client.fetch_ready().await {
        Ok(ready) => ready_findings(&client, &ready),
        Err(error) => return vec![Finding::new("server", Verdict::Fail, error.to_string())],
    };
    findings.extend(caller(&client).await);
    findings
}

fn ready_findings(client: &Client, ready: &forge_api::Ready) -> Vec<Finding> {
    let verdict = if ready.ready { Verdict::Ok } else { Verdict::Fail };
    let mut findings = vec![Finding::new("server", verdict, client.url().to_string())];
    for check in ready.checks.iter().filter(|check| !check.ok) {
        let message = check.message.clone().unwrap_or_else(|| "not ready".to_owned());
        findings.push(Finding::new("server", Verdict::Fail, format!("{}: {message}", check.name)));
    }
    findings
}

async fn caller(client: &Client) -> Vec<Finding> {
    let sign_in = "sign in with `forge login`, or set FORGE_TOKEN";
    if !client.has_credential() {
        return vec![Finding::new("token", Verdict::Warn, "there is none").next(sign_in)];
    }
    let token = match client.fetch_me().await {
        Ok(me) => Finding::new("token", Verdict::Ok, format!("works, as {}", actor(&me.actor))),
        Err(error) => {
            return vec![Finding::new("token", Verdict::Fail, error.to_string()).next(sign_in)];
        }
    };
    let info = match client.fetch_system_info().await {
        Ok(info) => {
            let git = info.git_version.as_deref().unwrap_or("did not answer");
            let verdict = if info.git_version.is_some() { Verdict::Ok } else { Verdict::Fail };
            let message = format!(
                "forge {}, git {git}, {} {}",
                info.version, info.database, info.database_version
            );
            Finding::new("versions", verdict, message)
        }
        Err(error) => Finding::new("versions", Verdict::Warn, error.to_string()),
    };
    let mut findings = vec![token, info];
    findings.extend(orphans(client).await);
    findings
}

/// What the last start found and left alone (W-10); only admins are told.
async fn orphans(client: &Client) -> Option<Finding> {
    let name = "orphans";
    let found = match client.fetch_recovery().await {
        Ok(report) => report.orphans?,
        Err(error) => return Some(Finding::new(name, Verdict::Warn, error.to_string())),
    };
    let first = found.first()?;
    let count = match found.len() {
        1 => "1 directory of no live task".to_owned(),
        count => format!("{count} directories of no live task"),
    };
    let message = format!("{count} at the last start, such as {}", first.path);
    Some(Finding::new(name, Verdict::Warn, message).next("see `forge workspace orphans`"))
}
