use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::worktree::Worktree;

/// A worktree that is what our records say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The commit it is on.
    pub head: ObjectId,
    /// Lock files in its git directory or on its branch. Stale when no process works in it.
    pub lock_files: Vec<PathBuf>,
}

/// What is wrong with a worktree (W-6). Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corruption {
    /// The directory is gone.
    #[error("the directory {} is gone", .0.display())]
    DirectoryMissing(PathBuf),
    /// Something else stands where the directory was, such as a symlink.
    #[error("{} is no longer a plain directory", .0.display())]
    NotADirectory(PathBuf),
    /// Its `.git` is missing, a directory, or points elsewhere.
    #[error("{} does not point to the repository any more: found {found}, expected {}", path.display(), expected.display())]
    GitFile {
        /// The `.git` in the worktree.
        path: PathBuf,
        /// Where it should point.
        expected: PathBuf,
        /// What is there instead.
        found: String,
    },
    /// Git's record of the worktree is damaged.
    #[error("git's record {} of the worktree is damaged: {found}", path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// It was made but its files were never all checked out.
    #[error("{} was never completely checked out", .0.display())]
    NotCheckedOut(PathBuf),
    /// Another branch, or none, is checked out.
    #[error("{} is on {found}, expected {expected}", path.display())]
    Branch {
        /// The worktree.
        path: PathBuf,
        /// The branch it was made for.
        expected: String,
        /// What HEAD says.
        found: String,
    },
    /// Its branch does not exist any more.
    #[error("the branch {branch} of {} is gone", path.display())]
    BranchMissing {
        /// The worktree.
        path: PathBuf,
        /// The missing branch.
        branch: String,
    },
}

/// Why a worktree could not be confirmed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It is not what our records say.
    #[error(transparent)]
    Corrupt(#[from] Corruption),
    /// It could not be found out.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Worktree {
    /// Compares the worktree with our records, before each use.
    pub async fn verify(&self) -> Result<Verified, VerifyError> {
        self.verify_directory().await?;
        self.verify_record().await?;
        self.verify_branch().await?;
        if !self.record().is_checked_out()? {
            return Err(Corruption::NotCheckedOut(self.path().to_owned()).into());
        }
        match self.git_dir().join("index").symlink_metadata() {
            Err(_) => return Err(self.damaged("its index is missing").into()),
            // What a machine leaves that went down before it was written.
            Ok(index) if index.len() == 0 => return Err(self.damaged("its index is empty").into()),
            Ok(_) => {}
        }
        let head = self.repo().tip(self.branch()).await?;
        let head = head.ok_or_else(|| Corruption::BranchMissing {
            path: self.path().to_owned(),
            branch: self.branch().to_string(),
        })?;
        Ok(Verified { head, lock_files: self.lock_files() })
    }

    async fn verify_directory(&self) -> Result<(), VerifyError> {
        let path = self.path().to_owned();
        match tokio::fs::symlink_metadata(&path).await {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Corruption::DirectoryMissing(path).into());
            }
            Err(error) => return Err(GitError::file("read", &path)(error).into()),
            Ok(found) if !found.is_dir() => return Err(Corruption::NotADirectory(path).into()),
            Ok(_) => {}
        }
        match self.git_file_problem().await {
            None => Ok(()),
            Some(found) => Err(Corruption::GitFile {
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

    async fn verify_record(&self) -> Result<(), VerifyError> {
        if !self.record().is_complete() {
            return Err(self.damaged("it is incomplete").into());
        }
        let file = self.git_dir().join("commondir");
        let content = tokio::fs::read(&file).await.map_err(GitError::file("read", &file))?;
        let common = self.git_dir().join(std::ffi::OsStr::from_bytes(content.trim_ascii_end()));
        let resolved = tokio::fs::canonicalize(&common).await.ok();
        if resolved.as_deref() == Some(self.repo().common_dir()) {
            Ok(())
        } else {
            let found = format!("it belongs to {}", common.display());
            Err(self.damaged(&found).into())
        }
    }

    async fn verify_branch(&self) -> Result<(), VerifyError> {
        if self.look_at_head().is_some() {
            return Ok(());
        }
        let outcome = Command::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .outcome()
            .await?;
        let found = match outcome.code() {
            Some(0) => String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned(),
            Some(1) => "no branch (detached)".to_owned(),
            _ => return Err(self.damaged(&outcome.stderr()).into()),
        };
        let expected = self.branch().to_ref().to_string();
        if found == expected {
            return Ok(());
        }
        Err(Corruption::Branch { path: self.path().to_owned(), expected, found }.into())
    }

    fn damaged(&self, found: &str) -> Corruption {
        Corruption::Record { path: self.git_dir().to_owned(), found: found.to_owned() }
    }
}
