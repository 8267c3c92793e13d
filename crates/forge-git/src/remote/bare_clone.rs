use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::{BranchName, RefName, RefNameError};
use crate::remote::remote_error::sanitize_message;
use crate::remote::remote_repo::RemoteRepo;
use crate::remote::remote_url::RemoteUrl;
use crate::remote::unfinished_clone::unfinished_clone_path;
use crate::repo::repo_lock::{LockedRepo, RepoLocks};
use crate::repo::repository::{Repo, RepoOpenError};
use crate::worktree::workspace_root::{create_private_directory, delete_tree};

const CLONE_DEADLINE: Duration = Duration::from_secs(1800);
const BRANCH_REFSPEC: &str = "+refs/heads/*:refs/remotes/origin/*";

/// Why a clone failed. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum RepoCloneError {
    /// The remote repository has no commit to start from.
    #[error("{0} has no default branch with a commit; make a first commit there")]
    Empty(RemoteUrl),
    /// The remote repository could not be reached or read.
    #[error("{url} cannot be cloned: {reason}; check the address and that this server may read it")]
    Unreachable {
        url: RemoteUrl,
        /// What git reported.
        reason: String,
    },
    /// The new clone cannot be opened.
    #[error(transparent)]
    Open(#[from] RepoOpenError),
    /// Any other failure of git or of the disk.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What a fetch means for a local branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FollowOutcome {
    /// There is nothing new.
    Unchanged,
    /// The branch was fast-forwarded to the remote commit.
    FastForwarded(ObjectId),
    /// The remote history was rewritten. The local branch had no commits of its own and follows; its old commit is
    /// archived.
    Rewritten(ObjectId),
    /// Both sides have commits that the other does not have. The local branch stays.
    Diverged {
        /// The local commit.
        ours: ObjectId,
        /// The remote commit.
        theirs: ObjectId,
    },
    /// The remote repository has no such branch.
    BranchMissing,
}

/// A bare repository that is being created, in a directory without user files. Deleted when dropped.
#[derive(Debug)]
pub(crate) struct NewClone {
    git: GitProgram,
    path: PathBuf,
}

impl NewClone {
    pub(crate) fn git(&self) -> &GitProgram {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for NewClone {
    fn drop(&mut self) {
        #[expect(clippy::disallowed_methods, reason = "only this clone ever used it")]
        let removed = std::fs::remove_dir_all(&self.path);
        // After a success the directory has another name.
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path.display(), %error, "could not remove unfinished clone");
        }
    }
}

impl Repo {
    /// Clones a repository bare to a new path: its branches as remote-tracking branches, its default branch as a
    /// local one. A failure leaves nothing; a killed call leaves `<path>.part` for
    /// [`discard_unfinished_clones`](crate::discard_unfinished_clones).
    pub async fn clone_bare(
        git: &GitProgram,
        remote: &RemoteRepo,
        path: &Path,
    ) -> Result<Self, RepoCloneError> {
        let clone = NewClone { git: git.clone(), path: unfinished_clone_path(path) };
        delete_tree(&clone.path).await?;
        if let Some(parent) = path.parent() {
            let made = tokio::fs::create_dir_all(parent).await;
            made.map_err(GitError::file("created", parent))?;
        }
        let made = tokio::fs::create_dir(&clone.path).await;
        made.map_err(GitError::file("created", &clone.path))?;
        let url = remote.url();
        let unreachable = |said: String| RepoCloneError::Unreachable {
            url: url.clone(),
            reason: sanitize_message(remote.credentials(), &said),
        };
        GitCommand::init_bare(&clone, "init")
            .args(["--quiet", "--bare", "--template="])
            .run()
            .await?;
        let branch = default_branch_of(&clone, remote).await?.map_err(unreachable)?;
        let Some(branch) = branch else { return Err(RepoCloneError::Empty(url.clone())) };
        let outcome = GitCommand::fetch_for_clone(&clone, remote)
            .args(["--quiet", "--no-write-fetch-head", "--no-recurse-submodules"])
            .args(["--no-auto-maintenance", "--"])
            .args([url.as_str(), BRANCH_REFSPEC])
            .deadline(CLONE_DEADLINE)
            .output()
            .await?;
        if outcome.code() != Some(0) {
            return Err(unreachable(outcome.stderr()));
        }
        let there = format!("refs/remotes/origin/{branch}");
        let known = GitCommand::init_bare(&clone, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", &there])
            .output()
            .await?;
        if known.code() != Some(0) {
            return Err(RepoCloneError::Empty(url.clone()));
        }
        let tip = String::from_utf8_lossy(known.stdout()).trim_end().to_owned();
        let ours = branch.to_ref();
        GitCommand::init_bare(&clone, "update-ref").args([ours.as_str(), &tip]).run().await?;
        for (name, target) in
            [("HEAD", ours.as_str()), ("refs/remotes/origin/HEAD", there.as_str())]
        {
            GitCommand::init_bare(&clone, "symbolic-ref").args([name, target]).run().await?;
        }
        let renamed = tokio::fs::rename(&clone.path, path).await;
        renamed.map_err(GitError::file("renamed", &clone.path))?;
        Ok(Self::open(git, path).await?)
    }

    /// Moves a branch of a bare clone to the commit of the last fetch, or creates it. Commits that landed here and
    /// were never pushed stay.
    pub async fn follow_remote(
        &self,
        locks: &RepoLocks,
        branch: &BranchName,
    ) -> Result<FollowOutcome, GitError> {
        let Ok(there) = tracking_ref_name(branch) else { return Ok(FollowOutcome::BranchMissing) };
        let Some(theirs) = self.resolve(&there).await? else {
            return Ok(FollowOutcome::BranchMissing);
        };
        let locked = locks.acquire(self).await?;
        let ours = self.tip(branch).await?;
        let followed = match &ours {
            Some(ours) if *ours == theirs => FollowOutcome::Unchanged,
            Some(ours) if self.is_ancestor(ours, &theirs).await? => {
                FollowOutcome::FastForwarded(theirs.clone())
            }
            Some(ours) if self.was_pushed(branch, ours).await? => {
                FollowOutcome::Rewritten(theirs.clone())
            }
            Some(ours) if self.is_ancestor(&theirs, ours).await? => {
                return Ok(FollowOutcome::Unchanged);
            }
            Some(ours) => {
                return Ok(FollowOutcome::Diverged { ours: ours.clone(), theirs });
            }
            None => FollowOutcome::FastForwarded(theirs.clone()),
        };
        if let (FollowOutcome::Rewritten(_), Some(ours)) = (&followed, &ours) {
            let kept = format!("refs/forge/archive/rewritten/{branch}/{ours}");
            GitCommand::write_refs(&locked, "update-ref")?
                .args([&kept, ours.as_str()])
                .run()
                .await?;
        }
        if followed != FollowOutcome::Unchanged {
            let old = ours.as_ref().map_or("", ObjectId::as_str);
            // With an empty old value git requires that the reference does not exist.
            GitCommand::write_refs(&locked, "update-ref")?
                .args(["--create-reflog", "-m", "forge: fetched", branch.to_ref().as_str()])
                .args([theirs.as_str(), old])
                .run()
                .await?;
        }
        locked.update_tracking_ref(&shared_ref_name(branch), &theirs).await?;
        Ok(followed)
    }

    /// The address of the remote named `origin` in the repository's settings.
    pub async fn origin_url(&self) -> Result<Option<String>, GitError> {
        let outcome = GitCommand::read_settings(self.git(), self.common_dir())
            .args(["--local", "--get", "remote.origin.url"])
            .output()
            .await?;
        match outcome.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned())),
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// Records that a local commit is at a remote branch now.
    pub async fn record_pushed(
        &self,
        locks: &RepoLocks,
        branch: &BranchName,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let locked = locks.acquire(self).await?;
        locked.update_tracking_ref(&tracking_ref_name(branch), commit).await?;
        locked.update_tracking_ref(&shared_ref_name(branch), commit).await
    }

    /// Whether a branch of this name was ever seen at the remote.
    pub async fn has_remote_branch(&self, branch: &BranchName) -> Result<bool, GitError> {
        for name in [tracking_ref_name(branch), shared_ref_name(branch)].into_iter().flatten() {
            if self.resolve(&name).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a commit, with its whole history, was once at this remote branch.
    async fn was_pushed(&self, branch: &BranchName, commit: &ObjectId) -> Result<bool, GitError> {
        let Ok(name) = shared_ref_name(branch) else { return Ok(false) };
        match self.resolve(&name).await? {
            Some(shared) => self.is_ancestor(commit, &shared).await,
            None => Ok(false),
        }
    }
}

impl LockedRepo {
    async fn update_tracking_ref(
        &self,
        name: &Result<RefName, RefNameError>,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let Ok(name) = name else { return Ok(()) };
        if self.repo().resolve(name).await?.as_ref() != Some(commit) {
            let command = GitCommand::write_refs(self, "update-ref")?;
            command.args([name.as_str(), commit.as_str()]).run().await?;
        }
        Ok(())
    }
}

/// The reference of the remote branch's last known commit.
pub(crate) fn tracking_ref_name(branch: &BranchName) -> Result<RefName, RefNameError> {
    RefName::new(format!("refs/remotes/origin/{branch}"))
}

/// The reference of the last commit that both sides had at a branch.
fn shared_ref_name(branch: &BranchName) -> Result<RefName, RefNameError> {
    RefName::new(format!("refs/forge/shared/{branch}"))
}

/// Removes a clone that was never used, so that it contains nothing but remote content.
pub async fn discard_clone(path: &Path) -> Result<(), GitError> {
    delete_tree(path).await
}

/// Archives a clone that is no longer used, in a hidden directory beside it, and returns its new path. Landed and
/// saved commits in it may exist nowhere else, so it is never deleted. `None` if there is no clone.
pub async fn archive_clone(path: &Path) -> Result<Option<PathBuf>, GitError> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(None) };
    let kept = parent.join(".kept");
    if tokio::fs::symlink_metadata(path).await.is_err() {
        return Ok(None);
    }
    create_private_directory(&kept)?;
    let kept = kept.join(name);
    tokio::fs::rename(path, &kept).await.map_err(GitError::file("set aside", path))?;
    Ok(Some(kept))
}

/// The branch of the remote HEAD; `None` if it has no commit; the inner error is what git reported.
async fn default_branch_of(
    clone: &NewClone,
    remote: &RemoteRepo,
) -> Result<Result<Option<BranchName>, String>, GitError> {
    let outcome = GitCommand::ls_remote_for_clone(clone, remote)
        .args(["--symref", "--", remote.url().as_str(), "HEAD"])
        .output()
        .await?;
    if outcome.code() != Some(0) {
        return Ok(Err(outcome.stderr()));
    }
    let text = String::from_utf8_lossy(outcome.stdout());
    let name = text.lines().find_map(|line| line.strip_prefix("ref: ")?.strip_suffix("\tHEAD"));
    let branch = name.and_then(|name| RefName::new(name).ok()).and_then(|name| name.branch());
    Ok(Ok(branch))
}
