use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::error::GitError;
use crate::keeper::Keeper;
use crate::object_id::ObjectId;
use crate::pool::{Pool, name_of};
use crate::record::Record;
use crate::spot::Spot;

/// A worktree of the pool, on no branch and nobody's. No task can have its path, and no task's worktree is one.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pool: Pool,
    number: u32,
    record: Record,
}

/// What is written beside a worktree once it can be given away. Nothing but this file makes it one that can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ready {
    /// The commit whose files it has.
    pub(crate) commit: ObjectId,
    /// What it takes on the disk.
    pub(crate) bytes: u64,
    /// When the machine goes down, files may be lost that nobody wrote through: such a one is looked at again first.
    pub(crate) boot: String,
}

impl Ready {
    pub(crate) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }
}

impl Member {
    pub(crate) fn new(pool: &Pool, number: u32, record: Record) -> Self {
        Self { pool: pool.clone(), number, record }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.pool.directory_of(self.number)
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn spot(&self) -> Spot {
        Spot {
            repo: self.pool.repo().clone(),
            git_dir: self.record.git_dir().to_owned(),
            root: self.pool.root().clone(),
            relative: self.pool.relative().join(name_of(self.number)),
        }
    }

    pub(crate) fn ready(&self) -> Option<Ready> {
        Ready::load(&self.pool.sign_of(self.number))
    }

    /// From now on it can be given away.
    pub(crate) fn set_ready(&self, ready: &Ready) -> Result<(), GitError> {
        let path = self.pool.sign_of(self.number);
        let new = path.with_extension("new");
        let written = serde_json::to_vec(ready)
            .map_err(std::io::Error::other)
            .and_then(|text| std::fs::write(&new, text))
            .and_then(|()| std::fs::rename(&new, &path));
        written.map_err(GitError::file("written", &path))
    }

    /// From now on it cannot be given away.
    pub(crate) fn clear_ready(&self) -> Result<(), GitError> {
        self.pool.clear_sign(self.number)
    }

    /// What keeps it from being given away, as far as that can be seen without reading its files. Its directory is ours
    /// alone; they were read when it was made.
    pub(crate) fn problem(&self, commit: &ObjectId) -> Option<&'static str> {
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
    pub(crate) fn keeper(&self) -> Option<Keeper> {
        self.record.keeper().filter(|keeper| self.pool.keepers().contains(keeper))
    }

    /// Whether ignored files are in it of somebody whom the pool was not opened for.
    pub(crate) fn is_strange(&self) -> bool {
        self.record.keeper().is_some() && self.keeper().is_none()
    }

    /// Whether every file is what the commit says and no other is there, but for ignored ones that may be. Reads what
    /// git does not know to be unchanged.
    pub(crate) async fn is_pristine(&self, commit: &ObjectId) -> Result<bool, GitError> {
        if self.problem(commit).is_some() {
            return Ok(false);
        }
        let ignored = if self.keeper().is_some() { "no" } else { "traditional" };
        let status = Command::read_member(self, "status")
            .args(["--porcelain=v2", "-z", "--untracked-files=normal"])
            .arg(format!("--ignored={ignored}"))
            .arg("--ignore-submodules=none")
            .outcome()
            .await?;
        Ok(status.code() == Some(0) && status.stdout().is_empty())
    }
}
