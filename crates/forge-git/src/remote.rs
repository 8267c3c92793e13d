use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::Command;
use crate::error::GitError;
use crate::git::Git;
use crate::half_made::half_made;
use crate::lock::{LockedRepo, RepoLocks};
use crate::object_id::ObjectId;
use crate::ref_name::{BranchName, NameError, RefName};
use crate::remote_repo::RemoteRepo;
use crate::remote_trouble::told;
use crate::remote_url::RemoteUrl;
use crate::repo::{OpenError, Repo};
use crate::root::{delete, make_private};

const CLONE_DEADLINE: Duration = Duration::from_secs(1800);
const BRANCHES: &str = "+refs/heads/*:refs/remotes/origin/*";

/// Why there is no clone. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum CloneError {
    /// The other side has nothing to start from.
    #[error("{0} has no default branch with a commit; make a first commit there")]
    Empty(RemoteUrl),
    /// It could not be reached or read.
    #[error("{url} cannot be cloned: {reason}; check the address and that this server may read it")]
    Unreachable {
        /// The address.
        url: RemoteUrl,
        /// What git said.
        reason: String,
    },
    /// What was made cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Git or the disk failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// What a fetch means for a branch of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Followed {
    /// There is nothing new.
    Unchanged,
    /// It went forward to what is there.
    Moved(ObjectId),
    /// Its history was written anew. Ours had nothing that had not been there, and follows; what it was is kept.
    Rewritten(ObjectId),
    /// Both have commits that the other has not; ours stays.
    Diverged {
        /// Ours.
        ours: ObjectId,
        /// What is there.
        theirs: ObjectId,
    },
    /// The other side has no such branch.
    Absent,
}

/// A bare repository in the making, in a directory that is nobody's yet. It goes when this value does.
#[derive(Debug)]
pub(crate) struct NewClone {
    git: Git,
    path: PathBuf,
}

impl NewClone {
    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for NewClone {
    fn drop(&mut self) {
        #[expect(clippy::disallowed_methods, reason = "nobody but this clone ever was in it")]
        let removed = std::fs::remove_dir_all(&self.path);
        // After a success the directory has another name.
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path.display(), %error, "a half-made clone is left over");
        }
    }
}

impl Repo {
    /// Clones a repository bare to a path where nothing is: its branches as remote ones, its default branch as ours.
    /// On any failure nothing is left; a killed call leaves `<path>.part` for [`discard_half_made`](crate::discard_half_made).
    pub async fn clone_bare(
        git: &Git,
        remote: &RemoteRepo,
        path: &Path,
    ) -> Result<Self, CloneError> {
        let clone = NewClone { git: git.clone(), path: half_made(path) };
        delete(&clone.path).await?;
        if let Some(parent) = path.parent() {
            let made = tokio::fs::create_dir_all(parent).await;
            made.map_err(GitError::file("created", parent))?;
        }
        let made = tokio::fs::create_dir(&clone.path).await;
        made.map_err(GitError::file("created", &clone.path))?;
        let url = remote.url();
        let unreachable = |said: String| CloneError::Unreachable {
            url: url.clone(),
            reason: told(remote.access(), &said),
        };
        Command::found_bare(&clone, "init")
            .args(["--quiet", "--bare", "--template="])
            .run()
            .await?;
        let branch = default_branch_of(&clone, remote).await?.map_err(unreachable)?;
        let Some(branch) = branch else { return Err(CloneError::Empty(url.clone())) };
        let outcome = Command::fetch_bare(&clone, remote)
            .args(["--quiet", "--no-write-fetch-head", "--no-recurse-submodules"])
            .args(["--no-auto-maintenance", "--"])
            .args([url.as_str(), BRANCHES])
            .deadline(CLONE_DEADLINE)
            .outcome()
            .await?;
        if outcome.code() != Some(0) {
            return Err(unreachable(outcome.stderr()));
        }
        let there = format!("refs/remotes/origin/{branch}");
        let known = Command::found_bare(&clone, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", &there])
            .outcome()
            .await?;
        if known.code() != Some(0) {
            return Err(CloneError::Empty(url.clone()));
        }
        let tip = String::from_utf8_lossy(known.stdout()).trim_end().to_owned();
        let ours = branch.to_ref();
        Command::found_bare(&clone, "update-ref").args([ours.as_str(), &tip]).run().await?;
        for (name, target) in
            [("HEAD", ours.as_str()), ("refs/remotes/origin/HEAD", there.as_str())]
        {
            Command::found_bare(&clone, "symbolic-ref").args([name, target]).run().await?;
        }
        let renamed = tokio::fs::rename(&clone.path, path).await;
        renamed.map_err(GitError::file("renamed", &clone.path))?;
        Ok(Self::open(git, path).await?)
    }

    /// Moves a branch of a bare clone to what the last fetch found, or makes it. What landed here and was never there
    /// stays.
    pub async fn follow_remote(
        &self,
        locks: &RepoLocks,
        branch: &BranchName,
    ) -> Result<Followed, GitError> {
        let Ok(there) = seen_name(branch) else { return Ok(Followed::Absent) };
        let Some(theirs) = self.resolve(&there).await? else { return Ok(Followed::Absent) };
        let locked = locks.acquire(self).await?;
        let ours = self.tip(branch).await?;
        let followed = match &ours {
            Some(ours) if *ours == theirs => Followed::Unchanged,
            Some(ours) if self.is_ancestor(ours, &theirs).await? => Followed::Moved(theirs.clone()),
            Some(ours) if self.was_there(branch, ours).await? => {
                Followed::Rewritten(theirs.clone())
            }
            Some(ours) if self.is_ancestor(&theirs, ours).await? => return Ok(Followed::Unchanged),
            Some(ours) => {
                return Ok(Followed::Diverged { ours: ours.clone(), theirs });
            }
            None => Followed::Moved(theirs.clone()),
        };
        if let (Followed::Rewritten(_), Some(ours)) = (&followed, &ours) {
            let kept = format!("refs/forge/archive/rewritten/{branch}/{ours}");
            Command::write_refs(&locked, "update-ref")?.args([&kept, ours.as_str()]).run().await?;
        }
        if followed != Followed::Unchanged {
            let old = ours.as_ref().map_or("", ObjectId::as_str);
            // With an empty old value git demands that there is no such reference.
            Command::write_refs(&locked, "update-ref")?
                .args(["--create-reflog", "-m", "forge: fetched", branch.to_ref().as_str()])
                .args([theirs.as_str(), old])
                .run()
                .await?;
        }
        locked.note(&shared_name(branch), &theirs).await?;
        Ok(followed)
    }

    /// The address of the remote named `origin`, as the repository's settings have it.
    pub async fn origin(&self) -> Result<Option<String>, GitError> {
        let outcome = Command::read(self, "config")
            .args(["--local", "--get", "remote.origin.url"])
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned())),
            Some(1) => Ok(None),
            _ => Err(outcome.into_error()),
        }
    }

    /// Writes down that a commit of ours is at a branch elsewhere now.
    pub async fn note_pushed(
        &self,
        locks: &RepoLocks,
        branch: &BranchName,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let locked = locks.acquire(self).await?;
        locked.note(&seen_name(branch), commit).await?;
        locked.note(&shared_name(branch), commit).await
    }

    /// Whether a branch of this name was ever seen elsewhere.
    pub async fn knows_elsewhere(&self, branch: &BranchName) -> Result<bool, GitError> {
        for name in [seen_name(branch), shared_name(branch)].into_iter().flatten() {
            if self.resolve(&name).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a commit, and all before it, once was at this branch elsewhere.
    async fn was_there(&self, branch: &BranchName, commit: &ObjectId) -> Result<bool, GitError> {
        let Ok(name) = shared_name(branch) else { return Ok(false) };
        match self.resolve(&name).await? {
            Some(shared) => self.is_ancestor(commit, &shared).await,
            None => Ok(false),
        }
    }
}

impl LockedRepo {
    async fn note(
        &self,
        name: &Result<RefName, NameError>,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let Ok(name) = name else { return Ok(()) };
        if self.repo().resolve(name).await?.as_ref() != Some(commit) {
            let command = Command::write_refs(self, "update-ref")?;
            command.args([name.as_str(), commit.as_str()]).run().await?;
        }
        Ok(())
    }
}

/// Where a branch elsewhere was when we last looked.
pub(crate) fn seen_name(branch: &BranchName) -> Result<RefName, NameError> {
    RefName::new(format!("refs/remotes/origin/{branch}"))
}

/// The last commit that both sides had at a branch.
fn shared_name(branch: &BranchName) -> Result<RefName, NameError> {
    RefName::new(format!("refs/forge/shared/{branch}"))
}

/// Removes a clone that was never used, so that nothing is in it but what is elsewhere.
pub async fn discard_clone(path: &Path) -> Result<(), GitError> {
    delete(path).await
}

/// Sets a clone aside that nobody uses any more, beside the others but under a name that nobody looks for: where to. What
/// landed and what was saved in it may be nowhere else, so it is never deleted. None if there is none.
pub async fn keep_clone(path: &Path) -> Result<Option<PathBuf>, GitError> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(None) };
    let kept = parent.join(".kept");
    if tokio::fs::symlink_metadata(path).await.is_err() {
        return Ok(None);
    }
    make_private(&kept)?;
    let kept = kept.join(name);
    tokio::fs::rename(path, &kept).await.map_err(GitError::file("set aside", path))?;
    Ok(Some(kept))
}

/// The branch that the other side's HEAD is on; none when that has no commit, and what git said when it cannot be asked.
async fn default_branch_of(
    clone: &NewClone,
    remote: &RemoteRepo,
) -> Result<Result<Option<BranchName>, String>, GitError> {
    let outcome = Command::ask_remote(clone, remote)
        .args(["--symref", "--", remote.url().as_str(), "HEAD"])
        .outcome()
        .await?;
    if outcome.code() != Some(0) {
        return Ok(Err(outcome.stderr()));
    }
    let text = String::from_utf8_lossy(outcome.stdout());
    let name = text.lines().find_map(|line| line.strip_prefix("ref: ")?.strip_suffix("\tHEAD"));
    let branch = name.and_then(|name| RefName::new(name).ok()).and_then(|name| name.branch());
    Ok(Ok(branch))
}
