use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::Command;
use crate::conflict::{Hunk, marked};
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::worktree::{HeldWorktree, Worktree};

const MOST_HUNKS: usize = 50;

/// What bringing other work into a worktree gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Met {
    /// All of it is in.
    Clean,
    /// Both sides stand in these files, with git's marks around them, and git knows that they are not resolved.
    Conflict {
        /// Paths from the top level, as UTF-8 as far as they are.
        files: Vec<String>,
        /// What both sides wrote; not all of it where that is much.
        hunks: Vec<Hunk>,
    },
}

impl HeldWorktree {
    /// Merges a commit into the branch (M-9): the merge is committed if it is clean, else it is left for whoever works
    /// here next, and the next commit is the merge. Everything must be committed before.
    pub async fn merge_in(
        &self,
        commit: &ObjectId,
        message: &str,
        signature: &Signature,
    ) -> Result<Met, GitError> {
        self.drop_lock_files().await?;
        let outcome = Command::write_worktree(self, "merge")
            .args(["--quiet", "--no-ff", "--no-edit", "--no-verify", "--no-gpg-sign", "--no-stat"])
            .args(["--no-autostash", "--no-squash", "--commit", "-m", message])
            .arg(commit.as_str())
            .signed(signature)
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => Ok(Met::Clean),
            Some(1) if self.merging().await.is_some() => self.load_conflict().await,
            _ => Err(outcome.into_error()),
        }
    }

    /// Brings the change of one commit in, without committing it. Everything must be committed before.
    pub async fn take_in(&self, commit: &ObjectId, signature: &Signature) -> Result<Met, GitError> {
        self.drop_lock_files().await?;
        let outcome = Command::write_worktree(self, "cherry-pick")
            .args(["--no-commit", "--allow-empty", commit.as_str()])
            .signed(signature)
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => Ok(Met::Clean),
            Some(1) => match self.load_conflict().await? {
                Met::Clean => Err(outcome.into_error()),
                conflict @ Met::Conflict { .. } => Ok(conflict),
            },
            _ => Err(outcome.into_error()),
        }
    }
}

impl Worktree {
    /// The commit that is being merged in, if a merge was begun and not committed.
    pub async fn merging(&self) -> Option<ObjectId> {
        let text = tokio::fs::read_to_string(self.git_dir().join("MERGE_HEAD")).await.ok()?;
        ObjectId::new(text.lines().next()?.trim()).ok()
    }

    /// What is not resolved yet.
    pub async fn load_conflict(&self) -> Result<Met, GitError> {
        let unmerged = Command::read_worktree(self, "diff")
            .args(["--name-only", "-z", "--diff-filter=U", "--no-ext-diff"])
            .run()
            .await?;
        let (mut files, mut hunks) = (Vec::new(), Vec::new());
        for path in unmerged.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let name = String::from_utf8_lossy(path).into_owned();
            let content = self.read_plain(path).await;
            if hunks.len() < MOST_HUNKS && !content.contains(&0) {
                hunks.extend(marked(&name, &String::from_utf8_lossy(&content)));
            }
            files.push(name);
        }
        hunks.truncate(MOST_HUNKS);
        files.sort();
        files.dedup();
        Ok(if files.is_empty() { Met::Clean } else { Met::Conflict { files, hunks } })
    }

    /// A file's content; nothing where it is none any more.
    async fn read_plain(&self, path: &[u8]) -> Vec<u8> {
        let file = self.path().join(OsStr::from_bytes(path));
        let plain = tokio::fs::symlink_metadata(&file).await.is_ok_and(|found| found.is_file());
        if plain { tokio::fs::read(file).await.unwrap_or_default() } else { Vec::new() }
    }
}
