use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::refs::ref_name::{BranchName, RefName};
use crate::repo::repository::Repo;

/// Forge's own branches; they are never a default branch.
const FORGE_BRANCH_PREFIX: &str = "forge/";
const USUAL_DEFAULT_BRANCHES: [&str; 2] = ["main", "master"];

/// Why no default branch could be detected.
#[derive(Debug, thiserror::Error)]
pub enum DefaultBranchError {
    /// No branch has a commit.
    #[error("the branch {branch} of {} has no commit yet; make a first commit", repo.display())]
    Unborn {
        repo: PathBuf,
        /// The empty branch.
        branch: BranchName,
    },
    /// Several branches are possible.
    #[error(
        "which branch of {} work lands on is not clear; name one of: {}",
        repo.display(),
        named(candidates)
    )]
    Unclear { repo: PathBuf, candidates: Vec<BranchName> },
    /// Any other failure of git.
    #[error(transparent)]
    Git(#[from] GitError),
}

fn named(candidates: &[BranchName]) -> String {
    candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Repo {
    /// The branch that work lands on: the only branch, else the one `origin/HEAD` names, else `configured` (the
    /// user's `init.defaultBranch`), else `main` or `master`. The branch that is checked out does not count.
    pub async fn default_branch(
        &self,
        configured: Option<&str>,
    ) -> Result<BranchName, DefaultBranchError> {
        let place = || self.work_tree().unwrap_or(self.common_dir()).to_owned();
        let branches = self.branches().await?;
        let others: Vec<_> = branches
            .iter()
            .filter(|branch| !branch.as_str().starts_with(FORGE_BRANCH_PREFIX))
            .collect();
        match (branches.as_slice(), others.as_slice()) {
            ([], _) => {
                let branch = self.head_branch().await?;
                return Err(DefaultBranchError::Unborn { repo: place(), branch });
            }
            ([only], _) => return Ok(only.clone()),
            (_, [only]) => return Ok((*only).clone()),
            _ => {}
        }
        let remote = self.symbolic_ref("refs/remotes/origin/HEAD").await?;
        let remote = remote.as_deref().and_then(|name| name.strip_prefix("refs/remotes/origin/"));
        let wanted = remote.into_iter().chain(configured).chain(USUAL_DEFAULT_BRANCHES);
        let found =
            wanted.filter_map(|name| branches.iter().find(|branch| branch.as_str() == name)).next();
        match found {
            Some(branch) => Ok(branch.clone()),
            None => Err(DefaultBranchError::Unclear { repo: place(), candidates: branches }),
        }
    }

    /// The branches that have a commit, sorted by name.
    async fn branches(&self) -> Result<Vec<BranchName>, GitError> {
        let listed = GitCommand::read(self, "for-each-ref")
            .args(["--format=%(refname)", "refs/heads/"])
            .run()
            .await?;
        let text = String::from_utf8_lossy(&listed).into_owned();
        let names = text.lines().filter_map(|line| line.strip_prefix("refs/heads/"));
        Ok(names.filter_map(|name| BranchName::new(name).ok()).collect())
    }

    /// The branch that HEAD names, or git's default name for a first branch.
    async fn head_branch(&self) -> Result<BranchName, GitError> {
        let head = self.symbolic_ref("HEAD").await?;
        let branch = head.and_then(|name| RefName::new(name).ok()).and_then(|name| name.branch());
        match branch {
            Some(branch) => Ok(branch),
            None => BranchName::new(USUAL_DEFAULT_BRANCHES[0])
                .map_err(|_| GitError::unexpected("symbolic-ref", b"")),
        }
    }
}

impl GitProgram {
    /// The `init.defaultBranch` setting of the user with this home directory.
    pub async fn init_default_branch(&self, home: &OsStr) -> Option<String> {
        let asked = GitCommand::user_settings(self, Path::new(home), "config")
            .args(["--global", "--get", "init.defaultBranch"])
            .output()
            .await
            .ok()?;
        let text = String::from_utf8_lossy(asked.stdout()).trim().to_owned();
        (asked.code() == Some(0) && !text.is_empty()).then_some(text)
    }
}
