//! Finds an agent's program as the agent's execution would find it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::adapter::executor_config::ExecutorConfig;

impl ExecutorConfig {
    /// The name of the program if it is not on this machine; `search` is the `PATH` of the call, unless the executor
    /// sets its own. A relative path refers to a worktree that does not exist yet, so it is not checked.
    pub fn missing_program(&self, search: &OsStr) -> Option<&str> {
        let program = self.program.first()?;
        let own = self.environment.get("PATH").map(OsStr::new);
        let is_there = if program.starts_with('/') {
            is_executable(Path::new(program))
        } else if program.contains('/') {
            true
        } else {
            find_program(program, own.unwrap_or(search)).is_some()
        };
        (!is_there).then_some(program)
    }
}

/// Finds the program on a `PATH`. Relative entries do not count: an agent starts in its worktree.
pub(crate) fn find_program(program: &str, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(program))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use serde_json::json;

    #[test]
    fn issue_13_22_a_program_is_searched_as_the_agent_would_find_it() {
        let place = tempfile::tempdir().expect("a directory");
        let there = place.path().join("there");
        std::fs::write(&there, "#!/bin/sh\n").expect("written");
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&there, runs).expect("ours");
        std::fs::write(place.path().join("notes"), "no program").expect("written");
        let missing = |executor: serde_json::Value| {
            let executor = ExecutorConfig::from_json(&executor).expect("an executor");
            executor.missing_program(place.path().as_os_str()).map(str::to_owned)
        };
        let shell = |program: &str| json!({ "kind": "shell", "command": [program] });
        assert_eq!(missing(shell("there")), None);
        assert_eq!(missing(shell(there.to_str().expect("UTF-8"))), None);
        assert_eq!(missing(shell("notes")).as_deref(), Some("notes"), "it cannot be run");
        assert_eq!(missing(shell("/nowhere/x")).as_deref(), Some("/nowhere/x"));
        assert_eq!(missing(shell("./agent.sh")), None, "in a worktree that is not there yet");
        assert_eq!(missing(json!({ "kind": "claude" })).as_deref(), Some("claude"));
        let own =
            json!({ "kind": "shell", "command": ["there"], "environment": { "PATH": "/nowhere" } });
        assert_eq!(missing(own).as_deref(), Some("there"), "its own PATH counts");
    }
}
