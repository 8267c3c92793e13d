use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::pool::ignored_files_owner::IgnoredFilesOwner;
use crate::pool::worktree_pool::{WorktreePool, pooled_name};
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_location::WorktreeLocation;
use crate::worktree::worktree_record::WorktreeRecord;

/// A worktree of the pool, on no branch and of no task. No task can have its path, and no task's worktree is one.
#[derive(Debug, Clone)]
pub(crate) struct PooledWorktree {
    pool: WorktreePool,
    number: u32,
    record: WorktreeRecord,
}

/// What is written beside a worktree once it can be given away. Nothing but this file makes it one that can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReadyMarker {
    /// The commit whose files it has.
    pub(crate) commit: ObjectId,
    /// What it takes on the disk.
    pub(crate) bytes: u64,
    /// When the machine goes down, files may be lost that were not synced to the disk: such a worktree is checked again first.
    pub(crate) boot: String,
}

impl ReadyMarker {
    pub(crate) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }
}

impl PooledWorktree {
    pub(crate) fn new(pool: &WorktreePool, number: u32, record: WorktreeRecord) -> Self {
        Self { pool: pool.clone(), number, record }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.pool.directory_of(self.number)
    }

    pub(crate) fn record(&self) -> &WorktreeRecord {
        &self.record
    }

    pub(crate) fn location(&self) -> WorktreeLocation {
        WorktreeLocation {
            repo: self.pool.repo().clone(),
            git_dir: self.record.git_dir().to_owned(),
            root: self.pool.root().clone(),
            relative: self.pool.relative_directory().join(pooled_name(self.number)),
        }
    }

    pub(crate) fn ready(&self) -> Option<ReadyMarker> {
        ReadyMarker::load(&self.pool.ready_marker_path(self.number))
    }

    /// From now on it can be given away.
    pub(crate) fn set_ready(&self, ready: &ReadyMarker) -> Result<(), GitError> {
        let path = self.pool.ready_marker_path(self.number);
        let new = path.with_extension("new");
        let written = serde_json::to_vec(ready)
            .map_err(std::io::Error::other)
            .and_then(|text| std::fs::write(&new, text))
            .and_then(|()| std::fs::rename(&new, &path));
        written.map_err(GitError::file("written", &path))
    }

    /// From now on it cannot be given away.
    pub(crate) fn clear_ready(&self) -> Result<(), GitError> {
        self.pool.remove_ready_marker(self.number)
    }

    /// What keeps it from being given away, as far as that can be seen without reading its files. Its directory is ours
    /// alone; they were read when it was made.
    pub(crate) fn find_problem(&self, commit: &ObjectId) -> Option<&'static str> {
        let git_dir = self.record.git_dir();
        let there = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
        let head = std::fs::read(git_dir.join("HEAD")).unwrap_or_default();
        let link = std::fs::read(self.path().join(".git")).unwrap_or_default();
        let mut expected = b"gitdir: ".to_vec();
        expected.extend_from_slice(git_dir.as_os_str().as_encoded_bytes());
        let filled = |name: &str| {
            git_dir.join(name).symlink_metadata().is_ok_and(|file| file.is_file() && file.len() > 0)
        };
        if head.trim_ascii_end() != commit.as_str().as_bytes() {
            Some("its HEAD is elsewhere")
        } else if link.trim_ascii_end() != expected {
            Some("its .git does not lead to its record")
        } else if !filled("index") || !filled("commondir") {
            Some("its record is incomplete")
        } else if there("index.lock") || there("HEAD.lock") || there("locked") {
            Some("somebody is at it")
        } else if !there("forge-checked-out") {
            Some("its files were never all written")
        } else {
            None
        }
    }

    /// The one whose ignored files are in it and may be.
    pub(crate) fn ignored_files_owner(&self) -> Option<IgnoredFilesOwner> {
        self.record
            .ignored_files_owner()
            .filter(|owner| self.pool.ignored_files_owners().contains(owner))
    }

    /// Whether it contains ignored files of another owner than the one the pool was opened for.
    pub(crate) fn has_foreign_ignored_files(&self) -> bool {
        self.record.ignored_files_owner().is_some() && self.ignored_files_owner().is_none()
    }

    /// Whether every file is what the commit says and no other is there, but for ignored ones that may be. Reads what
    /// git does not know to be unchanged.
    pub(crate) async fn is_pristine(&self, commit: &ObjectId) -> Result<bool, GitError> {
        if self.find_problem(commit).is_some() {
            return Ok(false);
        }
        let ignored = if self.ignored_files_owner().is_some() { "no" } else { "traditional" };
        let status = GitCommand::read_pooled(self, "status")
            .args(["--porcelain=v2", "-z", "--untracked-files=normal"])
            .arg(format!("--ignored={ignored}"))
            .arg("--ignore-submodules=dirty")
            .output()
            .await?;
        Ok(status.code() == Some(0) && status.stdout().is_empty())
    }
}
