//! The user's repository, a workspace root and helpers that the tests share. All git state is in a temporary
//! directory.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use forge_git::{
    BranchName, CommitIdentity, CommitSignature, DirectoryName, GitProgram, LockHolder, LockWait,
    LockedRepo, LockedWorktree, ObjectId, Repo, RepoLocks, WorkspaceLockGuard, WorkspaceLocks,
    WorkspaceRoot, WorktreeBranch,
};

pub(crate) struct World {
    directory: tempfile::TempDir,
    pub(crate) git: GitProgram,
    pub(crate) repo: Repo,
    pub(crate) root: WorkspaceRoot,
    pub(crate) locks: RepoLocks,
    pub(crate) workspace_locks: WorkspaceLocks,
    holds: tokio::sync::Mutex<BTreeMap<String, WorkspaceLockGuard>>,
}

impl World {
    /// A repository with one commit on `main`: `a.txt` with ten lines and `dir/b.txt`.
    pub(crate) async fn new() -> Self {
        Self::with(|_| locate(), |_| {}).await
    }

    /// A repository used with an isolated git, as in a server: with a copy of the settings as they were after
    /// `before` ran.
    pub(crate) async fn isolated(before: impl FnOnce(&Path)) -> Self {
        let git = |home: &Path| {
            let mark = forge_proc::ProcessMark::of_git(0, home);
            locate().isolated(home.join("settings"), mark)
        };
        Self::with(git, before).await
    }

    async fn with(git: impl FnOnce(&Path) -> GitProgram, before: impl FnOnce(&Path)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let home = directory.path().canonicalize().expect("it is there");
        let checkout = home.join("person");
        std::fs::create_dir(&checkout).expect("a directory");
        git_in(&checkout, &["init", "-q", "-b", "main"]);
        write(&checkout.join("a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
        write(&checkout.join("dir/b.txt"), "b\n");
        git_in(&checkout, &["add", "-A"]);
        git_in(&checkout, &["commit", "-q", "-m", "first"]);
        before(&checkout);
        let git = git(&home);
        Self {
            repo: Repo::open(&git, &checkout).await.expect("opens"),
            root: WorkspaceRoot::open(&home.join("workspaces")).await.expect("opens"),
            locks: RepoLocks::new(home.join("locks")),
            workspace_locks: WorkspaceLocks::new(home.join("locks")),
            holds: tokio::sync::Mutex::default(),
            git,
            directory,
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("it is there")
    }

    pub(crate) fn person(&self) -> PathBuf {
        self.home().join("person")
    }

    /// Runs plain git in the user's checkout.
    pub(crate) fn person_git(&self, arguments: &[&str]) -> String {
        git_in(&self.person(), arguments)
    }

    pub(crate) async fn main(&self) -> ObjectId {
        let main = branch("main");
        self.repo.tip(&main).await.expect("reads").expect("is there")
    }

    pub(crate) async fn lock(&self) -> LockedRepo {
        self.locks.acquire(&self.repo).await.expect("locks")
    }

    /// The workspace's lock, which the test holds until its end.
    pub(crate) async fn hold(&self, name: &str) -> WorkspaceLockGuard {
        let mut holds = self.holds.lock().await;
        if let Some(hold) = holds.get(name) {
            return hold.clone();
        }
        let hold = self
            .workspace_locks
            .acquire(&self.root, &directory(name), holder("a test"), LockWait::Reject)
            .await
            .expect("is free");
        holds.insert(name.to_owned(), hold.clone());
        hold
    }

    /// Releases every lock of this test.
    pub(crate) async fn release_holds(&self) -> BTreeMap<String, WorkspaceLockGuard> {
        std::mem::take(&mut *self.holds.lock().await)
    }

    pub(crate) async fn add(&self, name: &str) -> LockedWorktree {
        let new =
            WorktreeBranch::New { name: branch(&format!("forge/{name}")), base: self.main().await };
        let hold = self.hold(name).await;
        self.repo.add_worktree(&self.locks, &hold, &new).await.expect("a worktree")
    }

    /// A branch with one commit on top of main, made in a Forge worktree.
    pub(crate) async fn commit_on(&self, name: &str, files: &[(&str, &str)]) -> ObjectId {
        let worktree = self.add(name).await;
        for (path, content) in files {
            write(&worktree.path().join(path), content);
        }
        let collected = worktree.commit_all(name, &signature()).await.expect("commits");
        assert!(collected.changed);
        collected.head
    }

    /// All bytes of the user's files, index, HEAD, references and configuration.
    pub(crate) fn person_bytes(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.person(), &mut found);
        // Forge adds one line to the ignore list, which hides the lock file from agents.
        let skipped = ["objects", "worktrees", "logs", "info/exclude"];
        found.retain(|path, _| {
            !skipped.iter().any(|part| path.starts_with(self.person().join(".git").join(part)))
        });
        found
    }

    pub(crate) fn fsck(&self) {
        self.person_git(&["fsck", "--full", "--strict", "--no-dangling"]);
    }
}

fn collect(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(directory).expect("reads").flatten() {
        let path = entry.path();
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            collect(&path, found);
        } else if kind.is_symlink() {
            let target = std::fs::read_link(&path).expect("a target");
            found.insert(path, target.into_os_string().into_encoded_bytes());
        } else {
            let bytes = std::fs::read(&path).expect("reads");
            found.insert(path, bytes);
        }
    }
}

pub(crate) fn locate() -> GitProgram {
    GitProgram::locate(OsStr::new("/usr/local/bin:/usr/bin:/bin")).expect("git is installed")
}

pub(crate) fn branch(name: &str) -> BranchName {
    BranchName::new(name).expect("a branch name")
}

pub(crate) fn directory(name: &str) -> DirectoryName {
    DirectoryName::new(name).expect("a directory name")
}

pub(crate) fn holder(execution: &str) -> LockHolder {
    let process = forge_proc::ProcessIdentity::of_self().expect("we are alive");
    LockHolder { execution: execution.to_owned(), node: "test".to_owned(), process }
}

pub(crate) fn signature() -> CommitSignature {
    CommitSignature {
        author: CommitIdentity::new("Ada", "ada@example.org").expect("a person"),
        committer: CommitIdentity::new("Forge", "forge@example.org").expect("a person"),
        at: 1_700_000_000,
    }
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    std::fs::write(path, content).expect("writes");
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("reads")
}

/// Creates a script that leaves a trace when it runs, and returns its path.
pub(crate) fn tripwire(directory: &Path, name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join(name);
    let trace = directory.join(format!("{name}.ran"));
    write(&path, format!("#!/bin/sh\necho ran > '{}'\nexit 1\n", trace.display()));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("runnable");
    path
}

/// Runs plain git, as a user or an agent would.
pub(crate) fn git_in(directory: &Path, arguments: &[&str]) -> String {
    let (success, output) = try_git_in(directory, arguments);
    assert!(success, "git {arguments:?}: {output}");
    output
}

pub(crate) fn try_git_in(directory: &Path, arguments: &[&str]) -> (bool, String) {
    let output = std::process::Command::new("git")
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_NAME", "Person")
        .env("GIT_AUTHOR_EMAIL", "person@example.org")
        .env("GIT_COMMITTER_NAME", "Person")
        .env("GIT_COMMITTER_EMAIL", "person@example.org")
        .output()
        .expect("git runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        text.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    (output.status.success(), text)
}
