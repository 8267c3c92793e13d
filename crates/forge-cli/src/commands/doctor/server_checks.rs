//! Checks of the server: readiness, sign-in, versions, orphaned directories.

use std::path::Path;
use std::time::Duration;

use forge_api::SystemInfo;
use forge_client::ApiClient;

use crate::commands::doctor::doctor_args::DATA_DIRECTORY;
use crate::commands::doctor::doctor_report::DoctorFinding;
use crate::commands::doctor::machine_checks::check_disk;
use crate::commands::doctor::work_checks::check_work;
use crate::context::CliContext;
use crate::terminal::wire_words::actor_name;

const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// The server, the sign-in, and what agents need.
pub(crate) async fn check_server(context: &CliContext) -> Vec<DoctorFinding> {
    let client = match context.client() {
        Ok(client) => client.with_answer_time(SERVER_TIMEOUT),
        Err(failure) => {
            let message = failure.lines().map(|(message, _)| message).unwrap_or_default();
            return vec![DoctorFinding::fail("server", message)];
        }
    };
    let mut findings = match client.system().fetch_readiness().await {
        Ok(ready) => ready_findings(&client, &ready),
        Err(error) => {
            return vec![DoctorFinding::fail("server", error.to_string())];
        }
    };
    findings.extend(check_caller(&client).await);
    findings
}

fn ready_findings(client: &ApiClient, ready: &forge_api::ReadinessReport) -> Vec<DoctorFinding> {
    let url = client.url().to_string();
    let mut findings = vec![if ready.ready {
        DoctorFinding::ok("server", url)
    } else {
        DoctorFinding::fail("server", url)
    }];
    for check in ready.checks.iter().filter(|check| !check.ok) {
        let message = check.message.clone().unwrap_or_else(|| "not ready".to_owned());
        findings.push(DoctorFinding::fail("server", format!("{}: {message}", check.name)));
    }
    findings
}

async fn check_caller(client: &ApiClient) -> Vec<DoctorFinding> {
    let sign_in = "sign in with `forge login`, or set FORGE_TOKEN";
    if !client.has_credential() {
        return vec![DoctorFinding::warn("token", "there is none").next(sign_in)];
    }
    let token = match client.accounts().fetch_me().await {
        Ok(me) => DoctorFinding::ok("token", format!("works, as {}", actor_name(&me.actor))),
        Err(error) => {
            return vec![DoctorFinding::fail("token", error.to_string()).next(sign_in)];
        }
    };
    let mut findings = vec![token];
    match client.system().fetch_info().await {
        Ok(info) => findings.extend(info_findings(info)),
        Err(error) => findings.push(DoctorFinding::warn("versions", error.to_string())),
    }
    findings.extend(check_work(client).await);
    findings.extend(check_orphans(client).await);
    findings
}

/// The versions, and the data directory if the caller may see it.
fn info_findings(info: SystemInfo) -> Vec<DoctorFinding> {
    let git = info.git_version.as_deref().unwrap_or("did not answer");
    let message =
        format!("forge {}, git {git}, {} {}", info.version, info.database, info.database_version);
    let versions = match info.git_version {
        Some(_) => DoctorFinding::ok("versions", message),
        None => DoctorFinding::fail("versions", message).next("install git for the server"),
    };
    let directory = info.data_dir.clone().map(|path| DoctorFinding::ok(DATA_DIRECTORY, path));
    let disk = info.data_dir.as_deref().map(Path::new).filter(|path| path.is_dir());
    directory.into_iter().chain(disk.map(check_disk)).chain([versions]).collect()
}

/// Directories without a task that the last start found and left alone (W-10); only admins see them.
async fn check_orphans(client: &ApiClient) -> Option<DoctorFinding> {
    let name = "orphans";
    let found = match client.system().fetch_recovery().await {
        Ok(report) => report.orphans?,
        Err(error) => return Some(DoctorFinding::warn(name, error.to_string())),
    };
    let first = found.first()?;
    let count = match found.len() {
        1 => "1 directory of no live task".to_owned(),
        count => format!("{count} directories of no live task"),
    };
    let message = format!("{count} at the last start, such as {}", first.path);
    Some(DoctorFinding::warn(name, message).next("see `forge workspace orphans`"))
}
