//! Temporary git repositories, made with the real git in an isolated environment.

use forge_proc::{CaptureLimits, ProgramInvocation, StdinSource, capture};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A hundred thousand files take minutes on a disk that has just deleted as many.
const GIT_DEADLINE: Duration = Duration::from_secs(600);

/// A repository like a user's: files, a first commit, `main` checked out.
#[derive(Debug)]
pub struct TestRepository {
    path: PathBuf,
}

impl TestRepository {
    /// Creates a repository at `path`.
    pub async fn create(path: &Path) -> Self {
        std::fs::create_dir_all(path).expect("a directory for the repository");
        let repository = Self { path: path.to_owned() };
        repository.git(&["init", "--quiet", "--initial-branch=main"]).await;
        repository.write("README.md", "hello\n");
        repository.write("numbers.txt", "one\ntwo\nthree\n");
        repository.commit("first").await;
        repository
    }

    /// Opens an existing repository.
    pub fn open(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in the user's checkout.
    pub fn write(&self, name: &str, content: &str) {
        std::fs::write(self.path.join(name), content).expect("a file in the checkout");
    }

    /// Commits all changes of the user's checkout.
    pub async fn commit(&self, message: &str) {
        self.git(&["add", "--all"]).await;
        self.git(&["commit", "--quiet", "--message", message]).await;
    }

    /// Runs git and returns its output; a failure fails the test.
    pub async fn git(&self, arguments: &[&str]) -> String {
        let (ok, output) = self.try_git(arguments).await;
        assert!(ok, "git {arguments:?} failed: {output}");
        output.trim_end().to_owned()
    }

    /// Runs git; returns whether it succeeded, and its output.
    pub async fn try_git(&self, arguments: &[&str]) -> (bool, String) {
        let identity =
            [("NAME", "A Person"), ("EMAIL", "person@example.org"), ("DATE", "1767225600 +0000")];
        let mut call = ProgramInvocation::new("git", &self.path)
            .args(arguments.iter().copied())
            .env("PATH", search_path())
            .env("HOME", &self.path)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(StdinSource::Closed);
        for (what, value) in identity {
            call = call
                .env(format!("GIT_AUTHOR_{what}"), value)
                .env(format!("GIT_COMMITTER_{what}"), value);
        }
        let limits = CaptureLimits { stdout: 16 << 20, stderr: 1 << 20, deadline: GIT_DEADLINE };
        let done = capture(call, limits).await.expect("git can be started");
        let text = [done.stdout, done.stderr].concat();
        (done.exit.is_success(), String::from_utf8_lossy(&text).into_owned())
    }

    /// The subjects of a branch's commits, newest first.
    pub async fn subjects(&self, branch: &str) -> Vec<String> {
        let log = self.git(&["log", "--format=%s", branch]).await;
        log.lines().map(str::to_owned).collect()
    }
}

/// The `PATH` of the test process.
#[expect(clippy::disallowed_methods, reason = "tests run the programs of the machine they are on")]
pub fn search_path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}
