use std::collections::HashMap;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::GitError;
use crate::lock::LockedRepo;
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot, delete};

/// Git's own record of a linked worktree: `<common dir>/worktrees/<id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    git_dir: PathBuf,
}

impl Record {
    /// The record that names `path` as its worktree.
    pub(crate) async fn find(repo: &Repo, path: &Path) -> Result<Option<Self>, GitError> {
        let marker = path.join(".git");
        for git_dir in all(repo).await? {
            if target(&git_dir).await.as_deref() == Some(marker.as_path()) {
                return Ok(Some(Self { git_dir }));
            }
        }
        Ok(None)
    }

    /// The git directories of all linked worktrees, each with the directory it is for.
    pub(crate) async fn load_all(repo: &Repo) -> Result<HashMap<PathBuf, PathBuf>, GitError> {
        let mut found = HashMap::new();
        for git_dir in all(repo).await? {
            if let Some(directory) =
                target(&git_dir).await.and_then(|path| Some(path.parent()?.to_owned()))
            {
                found.insert(directory, git_dir);
            }
        }
        Ok(found)
    }

    /// Drops what a killed `git worktree add` left for this directory: records that name no worktree yet. Git makes the
    /// record's id from the directory's name, which is ours alone.
    pub(crate) async fn drop_unfinished(repo: &Repo, name: &DirectoryName) -> Result<(), GitError> {
        for git_dir in all(repo).await? {
            let ours = git_dir
                .file_name()
                .and_then(|id| id.to_str())
                .and_then(|id| id.strip_prefix(name.as_str()))
                .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            if ours && target(&git_dir).await.is_none() {
                tracing::info!(record = %git_dir.display(), "dropped a half-made worktree record");
                delete(&git_dir).await?;
            }
        }
        Ok(())
    }

    /// Drops the records of our worktrees that git was killed at before it had written them: while one is there, git
    /// lists no worktree of the repository at all. Nobody was in such a worktree yet. The repository's lock proves that
    /// the git which began it is gone, so this asks for it.
    pub(crate) async fn drop_half_written(
        locked: &LockedRepo,
        root: &WorkspaceRoot,
    ) -> Result<(), GitError> {
        for git_dir in all(locked.repo()).await? {
            let ours = target(&git_dir).await.is_some_and(|path| path.starts_with(root.path()));
            let record = Self { git_dir };
            if ours && record.is_initializing().await && !record.is_written().await {
                tracing::info!(record = %record.git_dir.display(), "dropped a half-written worktree record");
                record.forget().await?;
            }
        }
        Ok(())
    }

    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Whether git finished writing the record. It writes `HEAD` last and then takes its own lock off.
    pub(crate) async fn is_complete(&self) -> bool {
        self.is_written().await && !self.is_initializing().await
    }

    async fn is_written(&self) -> bool {
        let has = async |name: &str| {
            tokio::fs::metadata(self.git_dir.join(name)).await.is_ok_and(|file| file.len() > 0)
        };
        has("HEAD").await && has("commondir").await
    }

    async fn is_initializing(&self) -> bool {
        tokio::fs::read(self.git_dir.join("locked"))
            .await
            .is_ok_and(|reason| reason.trim_ascii() == b"initializing")
    }

    /// Whether the files were checked out once. Agents start only after that, so before it nothing can be lost.
    pub(crate) async fn is_checked_out(&self) -> Result<bool, GitError> {
        let marker = self.ready_marker();
        tokio::fs::try_exists(&marker).await.map_err(GitError::file("read", &marker))
    }

    pub(crate) fn is_checked_out_now(&self) -> bool {
        self.ready_marker().exists()
    }

    pub(crate) async fn set_checked_out(&self) -> Result<(), GitError> {
        let marker = self.ready_marker();
        let written = async {
            let file = tokio::fs::File::create(&marker).await?;
            file.sync_all().await
        };
        written.await.map_err(GitError::file("written", &marker))
    }

    fn ready_marker(&self) -> PathBuf {
        self.git_dir.join("forge-checked-out")
    }

    /// Forgets the worktree. Only this record: pruning would also forget a person's worktree on a disk not mounted now.
    pub(crate) async fn forget(self) -> Result<(), GitError> {
        delete(&self.git_dir).await
    }
}

async fn all(repo: &Repo) -> Result<Vec<PathBuf>, GitError> {
    let directory = repo.common_dir().join("worktrees");
    let mut entries = match tokio::fs::read_dir(&directory).await {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(GitError::file("read", &directory)(error)),
    };
    let mut found = Vec::new();
    while let Some(entry) =
        entries.next_entry().await.map_err(GitError::file("read", &directory))?
    {
        found.push(entry.path());
    }
    Ok(found)
}

/// The `.git` file that a record points to.
async fn target(git_dir: &Path) -> Option<PathBuf> {
    let content = tokio::fs::read(git_dir.join("gitdir")).await.ok()?;
    let content = content.trim_ascii_end();
    if content.is_empty() {
        return None;
    }
    Some(git_dir.join(std::ffi::OsStr::from_bytes(content)))
}
