use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::files::ObjectDatabase;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::refs::ref_lookup::RefLookup;
use crate::refs::ref_name::{BranchName, RefName};
use crate::repo::repo_layout::RepoLayout;
use crate::settings::settings_copy::SettingsCopy;

/// A local repository, identified by its resolved common git directory.
#[derive(Debug, Clone)]
pub struct Repo {
    inner: Arc<RepoInner>,
}

#[derive(Debug)]
struct RepoInner {
    git: GitProgram,
    common_dir: PathBuf,
    work_tree: Option<PathBuf>,
    settings: Option<SettingsCopy>,
}

/// Why a path cannot be used as a repository.
#[derive(Debug, thiserror::Error)]
pub enum RepoOpenError {
    /// The path is relative.
    #[error("{} is not absolute; give the full path of the repository", .0.display())]
    NotAbsolute(PathBuf),
    /// The path does not exist.
    #[error("{} does not exist; check the path", .0.display())]
    Missing(PathBuf),
    /// The path exists but cannot be read.
    #[error("{} cannot be read: {source}; check its permissions", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The path is not a git repository.
    #[error("{} is no git repository; run `git init` there or choose another directory", .0.display())]
    NotARepository(PathBuf),
    /// The path is a directory inside a repository.
    #[error("{} lies inside the repository {}; give that path instead", path.display(), top.display())]
    Inside {
        path: PathBuf,
        /// The repository's top level.
        top: PathBuf,
    },
    /// Git does not trust the owner of the directory.
    #[error("{} belongs to another user; change its owner or run Forge as that user", .0.display())]
    OwnedByAnother(PathBuf),
    /// Any other failure of git.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Repo {
    /// Opens a repository by the absolute path of its top level, or of a bare repository.
    pub async fn open(git: &GitProgram, path: &Path) -> Result<Self, RepoOpenError> {
        if !path.is_absolute() {
            return Err(RepoOpenError::NotAbsolute(path.to_owned()));
        }
        let resolved = match tokio::fs::canonicalize(path).await {
            Ok(resolved) => resolved,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(RepoOpenError::Missing(path.to_owned()));
            }
            Err(source) => {
                return Err(RepoOpenError::Unreadable { path: path.to_owned(), source });
            }
        };
        if let Err(source) = tokio::fs::read_dir(&resolved).await {
            return Err(match source.kind() {
                std::io::ErrorKind::NotADirectory => RepoOpenError::NotARepository(resolved),
                _ => RepoOpenError::Unreadable { path: resolved, source },
            });
        }
        let layout = match RepoLayout::find_registered(git, &resolved) {
            Some(layout) => layout,
            None => RepoLayout::discover(git, resolved).await?,
        };
        let RepoLayout { common_dir, work_tree } = layout;
        let settings = match git.isolation() {
            Some(isolation) => {
                Some(SettingsCopy::open(git, &isolation.settings, &common_dir).await?)
            }
            None => None,
        };
        let inner = RepoInner { git: git.clone(), common_dir, work_tree, settings };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The resolved directory that holds objects, references and the worktree list.
    pub fn common_dir(&self) -> &Path {
        &self.inner.common_dir
    }

    /// The copy of the settings that Forge's git commands read, if git is isolated (W-19).
    pub(crate) fn settings_copy(&self) -> Option<&SettingsCopy> {
        self.inner.settings.as_ref()
    }

    /// The directory where Forge's git commands find settings, attributes and ignore rules.
    pub(crate) fn settings_dir(&self) -> &Path {
        self.settings_copy().map_or(self.common_dir(), SettingsCopy::directory)
    }

    /// The path of the user's main checkout, if the repository was opened through it.
    pub(crate) fn work_tree(&self) -> Option<&Path> {
        self.inner.work_tree.as_deref()
    }

    pub(crate) fn git(&self) -> &GitProgram {
        &self.inner.git
    }

    pub(crate) async fn symbolic_ref(
        &self,
        name: &'static str,
    ) -> Result<Option<String>, GitError> {
        let outcome =
            GitCommand::read(self, "symbolic-ref").args(["--quiet", name]).output().await?;
        match outcome.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned())),
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// The commit that a branch points to; `None` if there is no such branch.
    pub async fn tip(&self, branch: &BranchName) -> Result<Option<ObjectId>, GitError> {
        self.resolve(&branch.to_ref()).await
    }

    /// The object that a reference points to; `None` if there is no such reference.
    pub async fn resolve(&self, name: &RefName) -> Result<Option<ObjectId>, GitError> {
        match ref_lookup::look_up_ref(self.common_dir(), name) {
            RefLookup::Found(id) => return Ok(Some(id)),
            RefLookup::Missing => return Ok(None),
            RefLookup::Unknown => {}
        }
        let outcome = GitCommand::read(self, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options"])
            .arg(name.as_str())
            .output()
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

    /// The last commit that both histories share; `None` if they share none.
    pub async fn merge_base(
        &self,
        one: &ObjectId,
        other: &ObjectId,
    ) -> Result<Option<ObjectId>, GitError> {
        let outcome = GitCommand::read(self, "merge-base")
            .args([one.as_str(), other.as_str()])
            .output()
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

    /// Whether `descendant` contains `ancestor`.
    pub async fn is_ancestor(
        &self,
        ancestor: &ObjectId,
        descendant: &ObjectId,
    ) -> Result<bool, GitError> {
        let outcome = GitCommand::read(self, "merge-base")
            .args(["--is-ancestor", ancestor.as_str(), descendant.as_str()])
            .output()
            .await?;
        match outcome.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(outcome.into_error()),
        }
    }

    /// The tree of a commit.
    pub async fn tree_of(&self, commit: &ObjectId) -> Result<ObjectId, GitError> {
        if let Ok(objects) = ObjectDatabase::open(self.common_dir())
            && let Ok(tree) = objects.tree_of(commit)
            && let Ok(tree) = ObjectId::new(tree.to_string())
        {
            return Ok(tree);
        }
        GitCommand::read(self, "rev-parse")
            .args(["--verify", "--end-of-options"])
            .arg(format!("{commit}^{{tree}}"))
            .output_object_id()
            .await
    }
}
