use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::merge::commit_identity::CommitSignature;
use crate::merge::conflict_hunks::{UnmergedHunk, parse_conflict_hunks};
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::{LockedWorktree, Worktree};

const MAX_HUNKS: usize = 50;

/// The outcome of merging other work into a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// Everything was merged.
    Clean,
    /// These files contain both sides between git's conflict markers, and git's index marks them as unmerged.
    Conflict {
        /// Paths from the top level, lossily converted to UTF-8.
        files: Vec<String>,
        /// The conflict hunks, up to a limit.
        hunks: Vec<UnmergedHunk>,
    },
}

impl LockedWorktree {
    /// Merges a commit into the branch (M-9). A clean merge is committed. A conflict stays in the worktree for the
    /// next agent, and the next commit concludes the merge. Everything must be committed before.
    pub async fn merge_commit(
        &self,
        commit: &ObjectId,
        message: &str,
        signature: &CommitSignature,
    ) -> Result<MergeOutcome, GitError> {
        self.drop_lock_files().await?;
        let outcome = GitCommand::write_worktree(self, "merge")
            .args(["--quiet", "--no-ff", "--no-edit", "--no-verify", "--no-gpg-sign", "--no-stat"])
            .args(["--no-autostash", "--no-squash", "--commit", "-m", message])
            .arg(commit.as_str())
            .signed(signature)
            .output()
            .await?;
        match outcome.code() {
            Some(0) => Ok(MergeOutcome::Clean),
            Some(1) if self.merge_in_progress().await.is_some() => self.load_conflict().await,
            _ => Err(outcome.into_error()),
        }
    }

    /// Applies the change of one commit without committing it. Everything must be committed before.
    pub async fn cherry_pick(
        &self,
        commit: &ObjectId,
        signature: &CommitSignature,
    ) -> Result<MergeOutcome, GitError> {
        self.drop_lock_files().await?;
        let outcome = GitCommand::write_worktree(self, "cherry-pick")
            .args(["--no-commit", "--allow-empty", commit.as_str()])
            .signed(signature)
            .output()
            .await?;
        match outcome.code() {
            Some(0) => Ok(MergeOutcome::Clean),
            Some(1) => match self.load_conflict().await? {
                MergeOutcome::Clean => Err(outcome.into_error()),
                conflict @ MergeOutcome::Conflict { .. } => Ok(conflict),
            },
            _ => Err(outcome.into_error()),
        }
    }
}

impl Worktree {
    /// The commit that is being merged, if a merge was started and not committed.
    pub async fn merge_in_progress(&self) -> Option<ObjectId> {
        let text = tokio::fs::read_to_string(self.git_dir().join("MERGE_HEAD")).await.ok()?;
        ObjectId::new(text.lines().next()?.trim()).ok()
    }

    /// The files and hunks that are not resolved yet.
    pub async fn load_conflict(&self) -> Result<MergeOutcome, GitError> {
        let unmerged = GitCommand::read_worktree(self, "diff")
            .args(["--name-only", "-z", "--diff-filter=U", "--no-ext-diff"])
            .run()
            .await?;
        let (mut files, mut hunks) = (Vec::new(), Vec::new());
        for path in unmerged.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let name = String::from_utf8_lossy(path).into_owned();
            let content = self.read_regular_or_empty(path).await;
            if hunks.len() < MAX_HUNKS && !content.contains(&0) {
                hunks.extend(parse_conflict_hunks(&name, &String::from_utf8_lossy(&content)));
            }
            files.push(name);
        }
        hunks.truncate(MAX_HUNKS);
        files.sort();
        files.dedup();
        Ok(if files.is_empty() {
            MergeOutcome::Clean
        } else {
            MergeOutcome::Conflict { files, hunks }
        })
    }

    /// The content of a regular file; empty if it is something else.
    async fn read_regular_or_empty(&self, path: &[u8]) -> Vec<u8> {
        let file = self.path().join(OsStr::from_bytes(path));
        let plain = tokio::fs::symlink_metadata(&file).await.is_ok_and(|found| found.is_file());
        if plain { tokio::fs::read(file).await.unwrap_or_default() } else { Vec::new() }
    }
}
