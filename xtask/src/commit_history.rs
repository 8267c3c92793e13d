//! The commits whose subjects the rules check, read from git.

use std::path::Path;
use std::process::{Command, Output};

/// The last commit before the rule about subjects; older subjects stay as they are.
pub const RULE_START: &str = "03f730d46e54f6d3dab206cee27df16977214245";

/// Variables by which a caller, such as a hook, points git at another repository.
const REPOSITORY_VARIABLES: [&str; 3] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

/// Why the commits could not be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The program `git` did not start.
    #[error("cannot start git: {0}; install it, the rule about commit subjects needs it")]
    Start(#[from] std::io::Error),
    /// The program `git` reported an error.
    #[error("git could not list the commits: {0}")]
    Failed(String),
}

/// One commit that is not a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSubject {
    /// The abbreviated hash.
    pub hash: String,
    pub subject: String,
}

/// Reads the commits from `start` to `HEAD`, merges apart, the newest first.
///
/// A shallow clone may not contain `start`: then all commits that it contains are read. A source
/// archive without a repository, or a repository without commits, has none.
pub fn load_subjects(root: &Path, start: &str) -> Result<Vec<CommitSubject>, HistoryError> {
    if !root.join(".git").exists() || !has_commit(root, "HEAD")? {
        return Ok(Vec::new());
    }
    let range = if has_commit(root, start)? { format!("{start}..HEAD") } else { "HEAD".to_owned() };
    let output = run_git(
        root,
        &["log", "--no-show-signature", "--no-merges", "--format=%h %s", &range, "--"],
    )?;
    if !output.status.success() {
        return Err(failure(&output));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let commits = text.lines().map(|line| {
        let (hash, subject) = line.split_once(' ').unwrap_or((line, ""));
        CommitSubject { hash: hash.to_owned(), subject: subject.to_owned() }
    });
    Ok(commits.collect())
}

fn has_commit(root: &Path, name: &str) -> Result<bool, HistoryError> {
    let commit = format!("{name}^{{commit}}");
    let output = run_git(root, &["rev-parse", "--verify", "--quiet", &commit])?;
    match output.status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err(failure(&output)),
    }
}

fn failure(output: &Output) -> HistoryError {
    HistoryError::Failed(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "xtask is a tool and depends on no crate of Forge")]
fn run_git(root: &Path, arguments: &[&str]) -> Result<Output, HistoryError> {
    let mut command = Command::new("git");
    for variable in REPOSITORY_VARIABLES {
        command.env_remove(variable);
    }
    Ok(command.arg("-C").arg(root).args(arguments).output()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(root: &Path, arguments: &[&str]) -> String {
        let settings =
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let arguments: Vec<_> = settings.iter().chain(arguments).copied().collect();
        let output = run_git(root, &arguments).expect("git started");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn commit(root: &Path, subject: &str) -> String {
        git(root, &["commit", "--quiet", "--allow-empty", "-m", subject]);
        git(root, &["rev-parse", "HEAD"])
    }

    fn subjects(root: &Path, start: &str) -> Vec<String> {
        let commits = load_subjects(root, start).expect("readable history");
        commits.into_iter().map(|commit| commit.subject).collect()
    }

    #[test]
    fn commits_since_the_start_are_read_and_merges_are_not() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let root = root.path();
        assert_eq!(subjects(root, RULE_START), [""; 0], "no repository");
        git(root, &["init", "--quiet", "-b", "main"]);
        assert_eq!(subjects(root, RULE_START), [""; 0], "no commits");
        commit(root, "old");
        let start = commit(root, "start");
        git(root, &["checkout", "--quiet", "-b", "side"]);
        commit(root, "git: add a side");
        git(root, &["checkout", "--quiet", "main"]);
        git(root, &["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"]);
        commit(root, "git: add the last");
        assert_eq!(subjects(root, &start), ["git: add the last", "git: add a side"]);
    }

    #[test]
    fn a_shallow_clone_without_the_start_is_read_as_far_as_it_goes() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let (origin, clone) = (root.path().join("origin"), root.path().join("clone"));
        std::fs::create_dir(&origin).expect("directory made");
        git(&origin, &["init", "--quiet", "-b", "main"]);
        let start = commit(&origin, "start");
        commit(&origin, "git: add one");
        commit(&origin, "git: add two");
        let address = format!("file://{}", origin.display());
        let clone_path = clone.to_string_lossy();
        git(root.path(), &["clone", "--quiet", "--depth=1", &address, &clone_path]);
        assert_eq!(subjects(&clone, &start), ["git: add two"]);
        assert_eq!(subjects(&origin, &start), ["git: add two", "git: add one"]);
    }

    #[test]
    fn a_repository_that_git_cannot_read_is_an_error() {
        let root = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(root.path().join(".git"), "gitdir: missing\n").expect("file written");
        let error = load_subjects(root.path(), RULE_START).expect_err("no repository there");
        assert!(matches!(error, HistoryError::Failed(_)), "{error}");
    }
}
