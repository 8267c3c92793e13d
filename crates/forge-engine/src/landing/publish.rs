//! Landing in a remote repository (M-7, M-17): the commit is pushed first, never by force, and the local branch
//! follows. After any answer the remote branch is read again before a retry.

use crate::effects::{EffectContext, EffectError};
use crate::landing::target_checkouts::{hold_checkouts, target_is_locked, update_checkouts};
use crate::remote::PushLocks;
use crate::remote::access::Remotes;
use forge_domain::task::AnnotationType;
use forge_domain::{EffectReport, LandResult};
use forge_git::{
    BranchMoveError, BranchName, FollowOutcome, ObjectId, PushOutcome, RemoteError,
    RemoteErrorKind, RemoteQueryError, RemoteRepo, Repo, RepoLocks,
};
use forge_store::tables::repos;
use serde_json::json;
use tokio::sync::OwnedMutexGuard;

const LONGEST_WAIT_SECONDS: u64 = 300;

/// The result of pushing a landing.
#[derive(Debug)]
pub(crate) enum LandingPushOutcome {
    /// The project does not push landings.
    NotPushed,
    /// The remote branch contains the commit. The push lock is held until the local branch has it too.
    Pushed {
        /// Held until the local branch follows.
        _push_lock: OwnedMutexGuard<()>,
    },
    /// Another commit was pushed first; the landing starts again on top of it.
    TargetMoved,
}

/// The remote repository that a landing is pushed to.
#[derive(Debug)]
pub(crate) struct PushRemote {
    pub(crate) row: repos::RepoRow,
    pub(crate) remote: RemoteRepo,
}

/// What a fetch of the target did to the local branch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FetchTargetOutcome {
    /// Nothing: the local branch already contains the remote one.
    UpToDate,
    /// The local branch moved to the remote one, or another process moved it meanwhile.
    Moved,
}

/// Pushes landings to remote repositories, and follows their branches.
#[derive(Debug, Clone)]
pub(crate) struct LandingPublisher {
    pub(crate) push_locks: PushLocks,
    pub(crate) remotes: Remotes,
    pub(crate) repo_locks: RepoLocks,
}

impl LandingPublisher {
    /// Pushes a commit that is about to land.
    pub(crate) async fn push_landing(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<LandingPushOutcome, EffectError> {
        let Some(push_remote) = self.load_push_remote(effect).await? else {
            return Ok(LandingPushOutcome::NotPushed);
        };
        let push_lock = self.push_locks.lock_repo(push_remote.row.id).await;
        if repo.tip(target).await?.as_ref() != Some(old) {
            return Ok(LandingPushOutcome::TargetMoved);
        }
        let remote = &push_remote.remote;
        let answer = repo.remote_tip(remote, target).await;
        match answer.map_err(|error| remote_error(effect, remote, error))? {
            None if push_remote.row.default_branch != target.as_str()
                && !repo.has_remote_branch(target).await? =>
            {
                // The branch never existed on the remote, for example another task's branch.
                return Ok(LandingPushOutcome::NotPushed);
            }
            None => return Err(remote_branch_missing(remote, target)),
            Some(tip) if tip == *old => {}
            Some(_) => {
                if self.fetch_target(effect, repo, &push_remote, target).await?
                    == FetchTargetOutcome::Moved
                {
                    return resolve_moved_target(repo, target, new, push_lock).await;
                }
            }
        }
        effect.pass_fault_point("publish.asked").await?;
        let pushed = repo.push(remote, new, target).await?;
        effect.pass_fault_point("publish.pushed").await?;
        match pushed {
            PushOutcome::Accepted | PushOutcome::UpToDate => {}
            PushOutcome::NonFastForward => {
                self.fetch_target(effect, repo, &push_remote, target).await?;
                return resolve_moved_target(repo, target, new, push_lock).await;
            }
            PushOutcome::Rejected { message } => {
                return Err(push_declined(remote, target, message));
            }
            PushOutcome::Failed(RemoteError { kind: RemoteErrorKind::Unknown, message }) => {
                // The result is unknown; read the remote branch.
                let fetched = repo.fetch(remote, &self.repo_locks, target).await;
                let tip = fetched.map_err(|error| remote_error(effect, remote, error))?;
                let arrived = match &tip {
                    Some(tip) => repo.is_ancestor(new, tip).await?,
                    None => false,
                };
                if !arrived {
                    return Err(wait_for_remote(effect, remote, message));
                }
            }
            PushOutcome::Failed(failure) => {
                return Err(remote_error(effect, remote, RemoteQueryError::Remote(failure)));
            }
        }
        repo.record_pushed(&self.repo_locks, target, new).await?;
        effect.pass_fault_point("publish.noted").await?;
        Ok(LandingPushOutcome::Pushed { _push_lock: push_lock })
    }

    /// Whether the remote contains a commit that an earlier attempt tried to push. If so, moves the local branch to it.
    pub(crate) async fn remote_contains(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
        new: &ObjectId,
    ) -> Result<bool, EffectError> {
        let Some(push_remote) = self.load_push_remote(effect).await? else { return Ok(false) };
        let _push_lock = self.push_locks.lock_repo(push_remote.row.id).await;
        let fetched = repo.fetch(&push_remote.remote, &self.repo_locks, target).await;
        let tip = fetched.map_err(|error| remote_error(effect, &push_remote.remote, error))?;
        let arrived = match &tip {
            Some(tip) => repo.is_ancestor(new, tip).await?,
            None => false,
        };
        if arrived {
            self.follow_remote_target(effect, repo, &push_remote, target, tip).await?;
        }
        Ok(arrived)
    }

    /// Whether landings are pushed.
    pub(crate) async fn is_published(&self, effect: &EffectContext) -> Result<bool, EffectError> {
        Ok(self.load_push_remote(effect).await?.is_some())
    }

    pub(crate) async fn load_push_remote(
        &self,
        effect: &EffectContext,
    ) -> Result<Option<PushRemote>, EffectError> {
        let row = effect.repo_row()?;
        match self.remotes.load_publish_remote(row, &effect.project).await {
            Ok(remote) => Ok(remote.map(|remote| PushRemote { row: row.clone(), remote })),
            Err(error) if error.is_transient() => {
                Err(wait_for_url(effect, row.url.clone().unwrap_or_default(), error.to_string()))
            }
            Err(error) => {
                let next = "put it right, then move the task back";
                let url = row.url.clone().unwrap_or_default();
                Err(push_failed("auth", &url, error.to_string(), next))
            }
        }
    }

    /// Fetches the branch and moves the local one to it.
    pub(crate) async fn fetch_target(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        push_remote: &PushRemote,
        target: &BranchName,
    ) -> Result<FetchTargetOutcome, EffectError> {
        let fetched = repo.fetch(&push_remote.remote, &self.repo_locks, target).await;
        let tip = fetched.map_err(|error| remote_error(effect, &push_remote.remote, error))?;
        effect.pass_fault_point("publish.fetched").await?;
        self.follow_remote_target(effect, repo, push_remote, target, tip).await
    }

    async fn follow_remote_target(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        push_remote: &PushRemote,
        target: &BranchName,
        theirs: Option<ObjectId>,
    ) -> Result<FetchTargetOutcome, EffectError> {
        let Some(theirs) = theirs else {
            return Err(remote_branch_missing(&push_remote.remote, target));
        };
        if push_remote.row.url.is_some() {
            return match repo.follow_remote(&self.repo_locks, target).await? {
                FollowOutcome::FastForwarded(_) | FollowOutcome::Rewritten(_) => {
                    Ok(FetchTargetOutcome::Moved)
                }
                FollowOutcome::Unchanged => Ok(FetchTargetOutcome::UpToDate),
                FollowOutcome::BranchMissing => {
                    Err(remote_branch_missing(&push_remote.remote, target))
                }
                FollowOutcome::Diverged { ours, theirs } => {
                    Err(diverged(&push_remote.remote, target, &ours, &theirs))
                }
            };
        }
        let Some(ours) = repo.tip(target).await? else { return Ok(FetchTargetOutcome::Moved) };
        if repo.is_ancestor(&theirs, &ours).await? {
            return Ok(FetchTargetOutcome::UpToDate);
        }
        if !repo.is_ancestor(&ours, &theirs).await? {
            return Err(diverged(&push_remote.remote, target, &ours, &theirs));
        }
        let locked = self.repo_locks.acquire(repo).await?;
        let held = hold_checkouts(effect, &locked, target, &ours, &theirs).await?;
        match locked.move_branch(target, &theirs, &ours, "forge: fetched").await {
            Ok(()) => update_checkouts(effect, &locked, held, target, (&ours, &theirs)).await?,
            Err(BranchMoveError::Moved { .. }) => {}
            Err(BranchMoveError::Locked { lock }) => {
                return Err(target_is_locked(effect, target, &lock));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(FetchTargetOutcome::Moved)
    }
}

/// If an answer to a push was lost, the commit that moved the branch may be our own.
async fn resolve_moved_target(
    repo: &Repo,
    target: &BranchName,
    new: &ObjectId,
    push_lock: OwnedMutexGuard<()>,
) -> Result<LandingPushOutcome, EffectError> {
    match repo.tip(target).await? {
        Some(tip) if repo.is_ancestor(new, &tip).await? => {
            Ok(LandingPushOutcome::Pushed { _push_lock: push_lock })
        }
        _ => Ok(LandingPushOutcome::TargetMoved),
    }
}

pub(crate) fn remote_error(
    effect: &EffectContext,
    remote: &RemoteRepo,
    error: RemoteQueryError,
) -> EffectError {
    let failure = match error {
        RemoteQueryError::Git(error) => return error.into(),
        RemoteQueryError::Remote(failure) => failure,
    };
    let url = remote.url().as_str();
    match failure.kind {
        RemoteErrorKind::Auth => push_failed(
            "auth",
            url,
            failure.to_string(),
            "give the repository a token that may write (PUT …/repos/{id}/credential), then move the task back",
        ),
        RemoteErrorKind::NotFound => push_failed(
            "address",
            url,
            failure.to_string(),
            "check the address and that the token may see it, then move the task back",
        ),
        RemoteErrorKind::Network | RemoteErrorKind::Unknown => {
            wait_for_remote(effect, remote, failure.message)
        }
    }
}

pub(crate) fn push_declined(
    remote: &RemoteRepo,
    target: &BranchName,
    message: String,
) -> EffectError {
    let message = format!("it does not take a push to {target}: {message}");
    let next = "let Forge push to that branch or change merge_config.target_branch, then move the task back";
    push_failed("rejected", remote.url().as_str(), message, next)
}

fn remote_branch_missing(remote: &RemoteRepo, target: &BranchName) -> EffectError {
    let message = format!("the remote has no branch {target} any more");
    let next = "make it again or change merge_config.target_branch, then move the task back";
    push_failed("gone", remote.url().as_str(), message, next)
}

pub(crate) fn wait_for_remote(
    effect: &EffectContext,
    remote: &RemoteRepo,
    message: String,
) -> EffectError {
    wait_for_url(effect, remote.url().to_string(), message)
}

pub(crate) fn wait_for_url(effect: &EffectContext, url: String, message: String) -> EffectError {
    let error = format!("{url} cannot be reached: {message}");
    let result = LandResult::PushWaits { url, message };
    EffectError::Waiting {
        report: Box::new(EffectReport::LandingEnded { visit: effect.row.visit, result }),
        error,
        patience_seconds: LONGEST_WAIT_SECONDS,
    }
}

fn diverged(
    remote: &RemoteRepo,
    target: &BranchName,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> EffectError {
    let message = format!(
        "{target} here ({ours}) and on the remote ({theirs}) each have commits that the other lacks"
    );
    let next = "bring them together (git pull --rebase, for instance), then move the task back";
    push_failed("diverged", remote.url().as_str(), message, next)
}

/// Parks the task; its worktree and its branch stay.
fn push_failed(kind: &str, url: &str, message: String, next: &str) -> EffectError {
    let details = json!({ "kind": kind, "url": url, "message": message, "next_step": next });
    EffectError::NeedsPerson {
        trouble: AnnotationType::PushFailed,
        message: format!("not pushed to {url}: {message}; {next}"),
        details,
    }
}
