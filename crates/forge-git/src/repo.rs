use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::command::Command;
use crate::error::GitError;
use crate::files::{Objects, Stock};
use crate::git::Git;
use crate::object_id::ObjectId;
use crate::ref_file::{self, RefFile};
use crate::ref_name::{BranchName, RefName};

/// A repository of this machine, known by its resolved common git directory.
#[derive(Debug, Clone)]
pub struct Repo {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    git: Git,
    common_dir: PathBuf,
    work_tree: Option<PathBuf>,
    stock: Arc<Stock>,
}

/// Why a path cannot be used as a repository.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The path depends on where we stand.
    #[error("{} is not absolute; give the full path of the repository", .0.display())]
    NotAbsolute(PathBuf),
    /// Nothing is there.
    #[error("{} does not exist; check the path", .0.display())]
    Missing(PathBuf),
    /// It is there but cannot be read.
    #[error("{} cannot be read: {source}; check its permissions", path.display())]
    Unreadable {
        /// The path given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No repository.
    #[error("{} is no git repository; run `git init` there or choose another directory", .0.display())]
    NotARepository(PathBuf),
    /// A directory within a repository.
    #[error("{} lies inside the repository {}; give that path instead", path.display(), top.display())]
    Inside {
        /// The path given.
        path: PathBuf,
        /// The repository's top level.
        top: PathBuf,
    },
    /// Git does not trust it.
    #[error("{} belongs to another user; change its owner or run Forge as that user", .0.display())]
    OwnedByAnother(PathBuf),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Why no default branch could be detected.
#[derive(Debug, thiserror::Error)]
pub enum DefaultBranchError {
    /// HEAD names a commit and no remote says more.
    #[error("HEAD of {} is detached; check out the branch to land on, or name it in the settings", .0.display())]
    Detached(PathBuf),
    /// The branch has no commit yet.
    #[error("the branch {branch} of {} has no commit yet; make a first commit", repo.display())]
    Unborn {
        /// The repository.
        repo: PathBuf,
        /// The empty branch.
        branch: BranchName,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Repo {
    /// Opens a repository by the absolute path of its top level, or of a bare repository.
    pub async fn open(git: &Git, path: &Path) -> Result<Self, OpenError> {
        if !path.is_absolute() {
            return Err(OpenError::NotAbsolute(path.to_owned()));
        }
        let resolved = match tokio::fs::canonicalize(path).await {
            Ok(resolved) => resolved,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(OpenError::Missing(path.to_owned()));
            }
            Err(source) => {
                return Err(OpenError::Unreadable { path: path.to_owned(), source });
            }
        };
        if let Err(source) = tokio::fs::read_dir(&resolved).await {
            return Err(match source.kind() {
                std::io::ErrorKind::NotADirectory => OpenError::NotARepository(resolved),
                _ => OpenError::Unreadable { path: resolved, source },
            });
        }
        let outcome = Command::discover(git, &resolved, "rev-parse")
            .args(["--path-format=absolute", "--git-common-dir", "--git-dir"])
            .args(["--is-bare-repository", "--is-inside-git-dir"])
            .outcome()
            .await?;
        if outcome.code() != Some(0) {
            let said = outcome.stderr();
            return Err(if said.contains("dubious ownership") {
                OpenError::OwnedByAnother(resolved)
            } else if said.contains("not a git repository") {
                OpenError::NotARepository(resolved)
            } else {
                outcome.into_error().into()
            });
        }
        let unexpected = || GitError::unexpected("rev-parse", outcome.stdout());
        let mut lines = outcome.stdout().split(|byte| *byte == b'\n');
        let common = lines.next().ok_or_else(unexpected)?;
        let is_main = lines.next() == Some(common);
        let bare = lines.next() == Some(b"true");
        let in_git_dir = lines.next() == Some(b"true");
        let common = PathBuf::from(OsStr::from_bytes(common));
        let common_dir =
            tokio::fs::canonicalize(&common).await.map_err(GitError::file("resolved", &common))?;
        if bare || in_git_dir {
            // Standing in `.git` itself, or deeper in either, is not the top level.
            if resolved != common_dir || !bare {
                let parent = common_dir.parent().map(Path::to_owned);
                let top = parent.filter(|_| !bare).unwrap_or(common_dir);
                return Err(OpenError::Inside { path: resolved, top });
            }
        } else {
            let top = Command::discover(git, &resolved, "rev-parse")
                .args(["--path-format=absolute", "--show-toplevel"])
                .run()
                .await?;
            let top = PathBuf::from(OsStr::from_bytes(top.trim_ascii_end()));
            if resolved != top {
                return Err(OpenError::Inside { path: resolved, top });
            }
        }
        let work_tree = (is_main && !bare).then_some(resolved);
        let stock = Arc::default();
        Ok(Self { inner: Arc::new(Inner { git: git.clone(), common_dir, work_tree, stock }) })
    }

    /// The resolved directory that holds objects, references and the worktree list.
    pub fn common_dir(&self) -> &Path {
        &self.inner.common_dir
    }

    /// Where a person's main checkout is, if the repository was opened by it.
    pub(crate) fn work_tree(&self) -> Option<&Path> {
        self.inner.work_tree.as_deref()
    }

    /// Gives back the memory of files that no new worktree asked for since the last call (W-15).
    pub fn drop_unused_files(&self) {
        self.inner.stock.drop_unused();
    }

    /// What is in memory of its files.
    pub(crate) fn stock(&self) -> &Arc<Stock> {
        &self.inner.stock
    }

    pub(crate) fn git(&self) -> &Git {
        &self.inner.git
    }

    /// The branch that work lands on: what `origin/HEAD` says, else the branch HEAD is on.
    pub async fn default_branch(&self) -> Result<BranchName, DefaultBranchError> {
        let remote = self.symbolic_ref("refs/remotes/origin/HEAD").await?;
        let remote = remote
            .as_deref()
            .and_then(|name| name.strip_prefix("refs/remotes/origin/"))
            .and_then(|name| BranchName::new(name).ok());
        if let Some(branch) = remote
            && self.tip(&branch).await?.is_some()
        {
            return Ok(branch);
        }
        let place = || self.work_tree().unwrap_or(self.common_dir()).to_owned();
        let head = self.symbolic_ref("HEAD").await?;
        let branch = head
            .and_then(|name| RefName::new(name).ok())
            .and_then(|name| name.branch())
            .ok_or_else(|| DefaultBranchError::Detached(place()))?;
        match self.tip(&branch).await? {
            Some(_) => Ok(branch),
            None => Err(DefaultBranchError::Unborn { repo: place(), branch }),
        }
    }

    async fn symbolic_ref(&self, name: &'static str) -> Result<Option<String>, GitError> {
        let outcome = Command::read(self, "symbolic-ref").args(["--quiet", name]).outcome().await?;
        match outcome.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned())),
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// The commit a branch points to; `None` when there is no such branch.
    pub async fn tip(&self, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        self.resolve(&branch.to_ref()).await
    }

    /// The object a reference points to; `None` when there is no such reference.
    pub async fn resolve(&self, name: &RefName) -> Result<Option<ObjectId>, GitError> {
        match ref_file::load(self.common_dir(), name) {
            RefFile::At(id) => return Ok(Some(id)),
            RefFile::Missing => return Ok(None),
            RefFile::Unclear => {}
        }
        let outcome = Command::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options"])
            .arg(name.as_str())
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(outcome.stdout());
                let id = ObjectId::new(text.trim_end());
                id.map(Some).map_err(|_| GitError::unexpected("rev-parse", outcome.stdout()))
            }
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// The last commit that both histories share; `None` when they share none.
    pub async fn merge_base(
        &self,
        one: &ObjectId,
        other: &ObjectId,
    ) -> Result<Option<ObjectId>, GitError> {
        let outcome = Command::read(self, "merge-base")
            .args([one.as_str(), other.as_str()])
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => {
                let text = String::from_utf8_lossy(outcome.stdout());
                let id = ObjectId::new(text.trim_end());
                id.map(Some).map_err(|_| GitError::unexpected("merge-base", outcome.stdout()))
            }
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// Whether `ancestor` is contained in `descendant`.
    pub async fn is_ancestor(
        &self,
        ancestor: &ObjectId,
        descendant: &ObjectId,
    ) -> Result<bool, GitError> {
        let outcome = Command::read(self, "merge-base")
            .args(["--is-ancestor", ancestor.as_str(), descendant.as_str()])
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(outcome.into_error()),
        }
    }

    /// The tree of a commit.
    pub async fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId, GitError> {
        if let Ok(objects) = Objects::open(self.common_dir())
            && let Ok(tree) = objects.tree_of(commit)
            && let Ok(tree) = ObjectId::new(tree.to_string())
        {
            return Ok(tree);
        }
        Command::read(self, "rev-parse")
            .args(["--verify", "--end-of-options"])
            .arg(format!("{commit}^{{tree}}"))
            .object_id()
            .await
    }
}
