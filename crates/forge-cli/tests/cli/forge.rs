//! One run of the binary in an isolated environment.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// A user with an empty home directory.
pub(crate) struct CliUser {
    pub(crate) home: TempDir,
    variables: Vec<(&'static str, String)>,
}

/// Result of a command.
#[derive(Debug)]
pub(crate) struct CommandResult {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl CliUser {
    pub(crate) fn new() -> Self {
        Self { home: TempDir::new().expect("a directory"), variables: Vec::new() }
    }

    pub(crate) fn at(url: &str) -> Self {
        let mut user = Self::new();
        user.set("FORGE_URL", url);
        user
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.variables.push((name, value.to_owned()));
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("forge");
        command.env_clear().env("HOME", self.home.path()).env("COLUMNS", "100");
        command.envs(self.variables.iter().cloned());
        command.current_dir(self.home.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandResult {
        run_command(self.command().args(arguments))
    }

    pub(crate) fn run_in(&self, dir: &Path, arguments: &[&str]) -> CommandResult {
        run_command(self.command().current_dir(dir).args(arguments))
    }

    /// The output of a command that must succeed.
    pub(crate) fn succeed_in(&self, dir: &Path, arguments: &[&str]) -> String {
        let ended = self.run_in(dir, arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended.out
    }

    pub(crate) fn pipe(&self, input: &str, arguments: &[&str]) -> CommandResult {
        run_command(self.command().args(arguments).write_stdin(input))
    }
}

/// The PATH of this machine, which contains git.
pub(crate) fn search_path() -> String {
    let path = std::env::vars_os().find(|(name, _)| name == "PATH");
    let (_, path) = path.expect("tests need a PATH");
    path.into_string().expect("UTF-8")
}

fn run_command(command: &mut Command) -> CommandResult {
    let output = command.output().expect("it runs");
    CommandResult {
        code: output.status.code().expect("it exits by itself"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}
