//! Which agent programs are installed here.

use crate::executor::{Executor, ExecutorError};
use crate::kind::Kind;
use crate::policy::Policy;
use forge_proc::{CaptureError, CaptureLimits, Exit, Invocation, SpawnError, capture};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

/// What was found of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installed {
    /// The kind.
    pub kind: Kind,
    /// The program that was looked for.
    pub program: String,
    /// Where it is; none if it is not installed.
    pub path: Option<PathBuf>,
    /// What it says its version is.
    pub version: Option<String>,
    /// Why it says nothing.
    pub problem: Option<String>,
    /// The command line of a first turn with nothing configured.
    pub command: Vec<String>,
    /// What it can be allowed.
    pub policies: Vec<Policy>,
    /// Whether it can continue a session.
    pub resumes: bool,
}

const LIMITS: CaptureLimits =
    CaptureLimits { stdout: 64 * 1024, stderr: 64 * 1024, deadline: Duration::from_secs(60) };

/// Looks for the programs of these kinds, all at once, in the order given. Kinds that have no program of their own are
/// left out.
pub async fn probe(
    kinds: Vec<Kind>,
    environment: &[(OsString, OsString)],
) -> Result<Vec<Installed>, ExecutorError> {
    let mut running = tokio::task::JoinSet::new();
    for (place, kind) in kinds.into_iter().enumerate() {
        let executor = match Executor::plain(kind) {
            Ok(executor) => executor,
            Err(ExecutorError::NoProgram(_)) => continue,
            Err(error) => return Err(error),
        };
        let environment = environment.to_vec();
        running.spawn(async move { (place, look(&executor, environment).await) });
    }
    let mut found = running.join_all().await;
    found.sort_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, installed)| installed).collect())
}

async fn look(executor: &Executor, environment: Vec<(OsString, OsString)>) -> Installed {
    let adapter = executor.adapter();
    let program = executor.program.first().cloned().unwrap_or_default();
    let path = environment
        .iter()
        .find(|(name, _)| name == "PATH")
        .and_then(|(_, search)| find(&program, search));
    let mut installed = Installed {
        kind: executor.kind(),
        program,
        version: None,
        problem: None,
        command: executor.shown(),
        policies: adapter.policies().collect(),
        resumes: adapter.resumes(),
        path,
    };
    let Some(path) = &installed.path else { return installed };
    let call = Invocation::new(path.as_os_str(), "/").args(&adapter.version).envs(environment);
    match capture(call, LIMITS).await {
        Ok(captured) => {
            let said = first_line(&captured.stdout).or_else(|| first_line(&captured.stderr));
            match captured.exit {
                Exit::Code(0) => installed.version = said.or_else(|| Some("unknown".to_owned())),
                _ => installed.problem = said.or_else(|| Some("it fails".to_owned())),
            }
        }
        Err(CaptureError::Spawn(SpawnError::ProgramMissing { .. })) => installed.path = None,
        Err(CaptureError::TimedOut { .. }) => {
            installed.problem = Some("it did not say its version in time".to_owned());
        }
        Err(error) => installed.problem = Some(error.to_string()),
    }
    installed
}

fn find(program: &str, search: &OsStr) -> Option<PathBuf> {
    let runs = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(search)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(program))
        .find(runs)
}

/// The first line that says something.
fn first_line(printed: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(printed);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
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
        let found = probe(Kind::ALL.to_vec(), &environment).await.expect("adapters load");
        let kinds: Vec<_> = found.iter().map(|one| one.kind).collect();
        let own: Vec<_> =
            Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::Shell | Kind::Acp)).collect();
        assert_eq!(kinds, own, "in order, those with a program of their own");
        let of = |kind| found.iter().find(|one| one.kind == kind).expect("is listed");
        let claude = of(Kind::Claude);
        assert_eq!(claude.version.as_deref(), Some("9.9.9 (Played)"));
        assert_eq!(claude.path, Some(place.path().join("claude")));
        assert_eq!(claude.command.first().map(String::as_str), Some("claude"));
        assert_eq!(of(Kind::Codex).problem.as_deref(), Some("no such option"));
        assert_eq!(of(Kind::Gemini).path, None, "cannot be run");
        assert_eq!(of(Kind::Goose).version, None);
    }
}
