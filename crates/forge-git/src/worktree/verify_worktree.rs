use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::Worktree;

/// The state of a worktree that matches Forge's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedWorktree {
    /// The commit it is on.
    pub head: ObjectId,
    /// Lock files in its git directory or on its branch. They are stale if no process works in it.
    pub lock_files: Vec<PathBuf>,
}

/// How a worktree differs from Forge's records (W-6). Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeCorruption {
    /// The directory is gone.
    #[error("the directory {} is gone", .0.display())]
    DirectoryMissing(PathBuf),
    /// Something else is at the directory's path, such as a symlink.
    #[error("{} is no longer a plain directory", .0.display())]
    NotADirectory(PathBuf),
    /// The `.git` file is missing, is a directory, or points elsewhere.
    #[error("{} does not point to the repository any more: found {found}, expected {}", path.display(), expected.display())]
    GitFile {
        /// The `.git` in the worktree.
        path: PathBuf,
        /// The target that it should have.
        expected: PathBuf,
        /// What it contains instead.
        found: String,
    },
    /// Git's record of the worktree is damaged.
    #[error("git's record {} of the worktree is damaged: {found}", path.display())]
    DamagedRecord {
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// The worktree was created, but its checkout never completed.
    #[error("{} was never completely checked out", .0.display())]
    NotCheckedOut(PathBuf),
    /// Another branch, or none, is checked out.
    #[error("{} is on {found}, expected {expected}", path.display())]
    WrongBranch {
        path: PathBuf,
        /// The branch it was created for.
        expected: String,
        /// What HEAD names.
        found: String,
    },
    /// The worktree's branch does not exist any more.
    #[error("the branch {branch} of {} is gone", path.display())]
    BranchMissing {
        path: PathBuf,
        /// The missing branch.
        branch: String,
    },
}

/// Why a worktree could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeVerifyError {
    /// The worktree does not match Forge's records.
    #[error(transparent)]
    Corrupt(#[from] WorktreeCorruption),
    /// The check itself failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Worktree {
    /// Compares the worktree with Forge's records. Called before each use.
    pub async fn verify(&self) -> Result<VerifiedWorktree, WorktreeVerifyError> {
        self.verify_directory().await?;
        self.verify_record().await?;
        self.verify_branch().await?;
        if !self.record().is_checked_out()? {
            return Err(WorktreeCorruption::NotCheckedOut(self.path().to_owned()).into());
        }
        match self.git_dir().join("index").symlink_metadata() {
            Err(_) => return Err(self.damaged_record("its index is missing").into()),
            // A power cut before the index was written leaves an empty file.
            Ok(index) if index.len() == 0 => {
                return Err(self.damaged_record("its index is empty").into());
            }
            Ok(_) => {}
        }
        let head = self.repo().tip(self.branch()).await?;
        let head = head.ok_or_else(|| WorktreeCorruption::BranchMissing {
            path: self.path().to_owned(),
            branch: self.branch().to_string(),
        })?;
        Ok(VerifiedWorktree { head, lock_files: self.lock_files() })
    }

    async fn verify_directory(&self) -> Result<(), WorktreeVerifyError> {
        let path = self.path().to_owned();
        match tokio::fs::symlink_metadata(&path).await {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(WorktreeCorruption::DirectoryMissing(path).into());
            }
            Err(error) => return Err(GitError::file("read", &path)(error).into()),
            Ok(found) if !found.is_dir() => {
                return Err(WorktreeCorruption::NotADirectory(path).into());
            }
            Ok(_) => {}
        }
        match self.git_file_problem().await {
            None => Ok(()),
            Some(found) => Err(WorktreeCorruption::GitFile {
                path: path.join(".git"),
                expected: self.git_dir().to_owned(),
                found,
            }
            .into()),
        }
    }

    /// What is wrong with the `.git` file, if anything.
    pub(crate) async fn git_file_problem(&self) -> Option<String> {
        let path = self.path().join(".git");
        match tokio::fs::symlink_metadata(&path).await {
            Err(error) => return Some(error.to_string()),
            Ok(found) if !found.is_file() => return Some("no plain file".to_owned()),
            Ok(_) => {}
        }
        let content = match tokio::fs::read(&path).await {
            Ok(content) => content,
            Err(error) => return Some(error.to_string()),
        };
        let target = content
            .strip_prefix(b"gitdir: ")
            .map(|target| Path::new(std::ffi::OsStr::from_bytes(target.trim_ascii_end())));
        if target.is_some_and(|target| self.path().join(target) == self.git_dir()) {
            None
        } else {
            let start = content.get(..200).unwrap_or(&content);
            Some(format!("{:?}", String::from_utf8_lossy(start)))
        }
    }

    async fn verify_record(&self) -> Result<(), WorktreeVerifyError> {
        if !self.record().is_complete() {
            return Err(self.damaged_record("it is incomplete").into());
        }
        let file = self.git_dir().join("commondir");
        let content = tokio::fs::read(&file).await.map_err(GitError::file("read", &file))?;
        let common = self.git_dir().join(std::ffi::OsStr::from_bytes(content.trim_ascii_end()));
        let resolved = tokio::fs::canonicalize(&common).await.ok();
        if resolved.as_deref() == Some(self.repo().common_dir()) {
            Ok(())
        } else {
            let found = format!("it belongs to {}", common.display());
            Err(self.damaged_record(&found).into())
        }
    }

    async fn verify_branch(&self) -> Result<(), WorktreeVerifyError> {
        if self.read_head_from_files().is_some() {
            return Ok(());
        }
        let outcome = GitCommand::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .output()
            .await?;
        let found = match outcome.code() {
            Some(0) => String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned(),
            Some(1) => "no branch (detached)".to_owned(),
            _ => return Err(self.damaged_record(&outcome.stderr()).into()),
        };
        let expected = self.branch().to_ref().to_string();
        if found == expected {
            return Ok(());
        }
        Err(WorktreeCorruption::WrongBranch { path: self.path().to_owned(), expected, found }
            .into())
    }

    fn damaged_record(&self, found: &str) -> WorktreeCorruption {
        WorktreeCorruption::DamagedRecord {
            path: self.git_dir().to_owned(),
            found: found.to_owned(),
        }
    }
}
