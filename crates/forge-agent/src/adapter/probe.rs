//! Finds the agent programs that are installed on this machine.

use crate::adapter::agent_kind::AgentKind;
use crate::adapter::executor_config::{ExecutorConfig, ExecutorError};
use crate::adapter::installed_program::find_program;
use crate::adapter::login::LoginState;
use forge_domain::PermissionPolicy;
use forge_proc::{
    CaptureError, CaptureLimits, ProcessExit, ProgramInvocation, SpawnError, capture,
};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What the probe found for one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstalledAgent {
    pub kind: AgentKind,
    /// The program that was searched.
    pub program: String,
    /// The path; `None` if the program is not installed.
    pub path: Option<PathBuf>,
    /// The reported version.
    pub version: Option<String>,
    /// Why no version is known.
    pub problem: Option<String>,
    /// The version that Forge was last tested with.
    pub tested_version: Option<String>,
    /// The login status; `None` if the program is not installed.
    pub login: Option<LoginState>,
    /// The command line of a new session with default settings.
    pub command: Vec<String>,
    /// The supported permission policies.
    pub policies: Vec<PermissionPolicy>,
    /// Whether it can continue a session.
    pub resumes: bool,
}

const LIMITS: CaptureLimits =
    CaptureLimits { stdout: 64 * 1024, stderr: 64 * 1024, deadline: Duration::from_secs(60) };

/// Probes the programs of these kinds concurrently; results are in the given order. Kinds without a default program
/// are left out.
pub async fn probe_agents(
    kinds: Vec<AgentKind>,
    environment: &[(OsString, OsString)],
) -> Result<Vec<InstalledAgent>, ExecutorError> {
    let mut running = tokio::task::JoinSet::new();
    for (place, kind) in kinds.into_iter().enumerate() {
        let executor = match ExecutorConfig::with_defaults(kind) {
            Ok(executor) => executor,
            Err(ExecutorError::NoProgram(_)) => continue,
            Err(error) => return Err(error),
        };
        let environment = environment.to_vec();
        running.spawn(async move { (place, probe_program(&executor, environment).await) });
    }
    let mut found = running.join_all().await;
    found.sort_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, installed)| installed).collect())
}

/// Probes the program of one agent, with the variables that the agent adds.
pub async fn probe_executor(
    executor: &ExecutorConfig,
    environment: &[(OsString, OsString)],
) -> InstalledAgent {
    let mut all = environment.to_vec();
    all.extend(executor.added_environment());
    probe_program(executor, all).await
}

async fn probe_program(
    executor: &ExecutorConfig,
    environment: Vec<(OsString, OsString)>,
) -> InstalledAgent {
    let adapter = executor.adapter();
    let program = executor.program.first().cloned().unwrap_or_default();
    let path = environment
        .iter()
        .find(|(name, _)| name == "PATH")
        .and_then(|(_, search)| find_program(&program, search));
    let tested_version = adapter.tested_version.clone();
    let mut installed = InstalledAgent {
        kind: executor.kind(),
        program,
        version: None,
        problem: None,
        tested_version,
        login: None,
        command: executor.preview_command(),
        policies: adapter.policies().collect(),
        resumes: adapter.can_resume(),
        path,
    };
    let Some(path) = &installed.path else { return installed };
    let call = ProgramInvocation::new(path.as_os_str(), "/")
        .args(executor.program.iter().skip(1))
        .args(&adapter.version)
        .envs(environment.iter().cloned());
    let login = async {
        match &adapter.login {
            Some(check) => check.check(executor, path, &environment, LIMITS).await,
            None => LoginState::Unknown,
        }
    };
    let (version, login) = tokio::join!(capture(call, LIMITS), login);
    installed.login = Some(login);
    match version {
        Ok(captured) => {
            let said = first_line(&captured.stdout).or_else(|| first_line(&captured.stderr));
            match captured.exit {
                ProcessExit::Code(0) => {
                    installed.version = said.or_else(|| Some("unknown".to_owned()))
                }
                _ => installed.problem = said.or_else(|| Some("it fails".to_owned())),
            }
        }
        Err(CaptureError::Spawn(SpawnError::ProgramMissing { .. })) => {
            installed.path = None;
            installed.login = None;
        }
        Err(CaptureError::TimedOut { .. }) => {
            installed.problem = Some("it did not say its version in time".to_owned());
        }
        Err(error) => installed.problem = Some(error.to_string()),
    }
    installed
}

/// The first line that is not empty.
fn first_line(printed: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(printed);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    fn install(directory: &Path, name: &str, script: &str, mode: u32) {
        let path = directory.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("is written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("is ours");
    }

    #[tokio::test]
    async fn e_1_installed_programs_are_found_with_their_version() {
        let place = tempfile::tempdir().expect("a directory");
        install(place.path(), "claude", "echo; echo '9.9.9 (Played)'", 0o755);
        install(place.path(), "codex", "echo 'no such option' >&2; exit 2", 0o755);
        install(place.path(), "gemini", "echo 1", 0o644);
        let environment = [("PATH".into(), place.path().into())];
        let found =
            probe_agents(AgentKind::ALL.to_vec(), &environment).await.expect("adapters load");
        let kinds: Vec<_> = found.iter().map(|one| one.kind).collect();
        let own: Vec<_> = AgentKind::ALL
            .into_iter()
            .filter(|kind| !matches!(kind, AgentKind::Shell | AgentKind::Acp))
            .collect();
        assert_eq!(kinds, own, "in order, those with a program of their own");
        let of = |kind| found.iter().find(|one| one.kind == kind).expect("is listed");
        let claude = of(AgentKind::Claude);
        assert_eq!(claude.version.as_deref(), Some("9.9.9 (Played)"));
        assert_eq!(claude.path, Some(place.path().join("claude")));
        assert_eq!(claude.login, Some(LoginState::Unknown), "it answers something else");
        assert!(claude.tested_version.is_some());
        assert_eq!(claude.command.first().map(String::as_str), Some("claude"));
        assert_eq!(of(AgentKind::Codex).problem.as_deref(), Some("no such option"));
        assert_eq!(of(AgentKind::Gemini).path, None, "cannot be run");
        assert_eq!(of(AgentKind::Goose).version, None);
    }
}
