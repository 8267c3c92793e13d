//! Landing in a remote repository (M-7, M-17): the commit is pushed first, never by force, and the local branch
//! follows. After any answer the remote branch is read again before a retry.

use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use forge_domain::task::AnnotationType;
use forge_domain::{EffectReport, LandResult};
use forge_git::{
    BranchMoveError, BranchName, FollowOutcome, ObjectId, PushOutcome, RemoteError,
    RemoteErrorKind, RemoteQueryError, RemoteRepo, Repo,
};
use forge_store::tables::repos;
use serde_json::json;
use tokio::sync::OwnedMutexGuard;

const LONGEST_WAIT_SECONDS: u64 = 300;

/// Result of pushing a landing.
#[derive(Debug)]
pub(crate) enum LandingPush {
    /// The project does not push landings.
    NotPushed,
    /// The remote branch contains the commit. The push lock is held until the local branch has it too.
    Pushed {
        /// Held until the local branch follows.
        _turn: OwnedMutexGuard<()>,
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

/// Relation of the local branch to the remote one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RemoteSync {
    /// The local branch contains the remote one.
    UpToDate,
    /// The local branch moved to the remote one.
    Moved,
}

impl EffectRun<'_> {
    /// Pushes a commit that is about to land.
    pub(crate) async fn push_landing(
        &self,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<LandingPush, EffectError> {
        let Some(there) = self.load_push_remote().await? else { return Ok(LandingPush::NotPushed) };
        let turn = self.engine.0.push_locks.lock_repo(there.row.id).await;
        if repo.tip(target).await?.as_ref() != Some(old) {
            return Ok(LandingPush::TargetMoved);
        }
        let remote = &there.remote;
        let asked = repo.remote_tip(remote, target).await;
        match asked.map_err(|error| self.remote_error(remote, error))? {
            None if there.row.default_branch != target.as_str()
                && !repo.has_remote_branch(target).await? =>
            {
                // The branch never existed on the remote, for example another task's branch.
                return Ok(LandingPush::NotPushed);
            }
            None => return Err(self.remote_branch_missing(remote, target)),
            Some(tip) if tip == *old => {}
            Some(_) => {
                if self.fetch_target(repo, &there, target).await? == RemoteSync::Moved {
                    return self.resolve_moved_target(repo, target, new, turn).await;
                }
            }
        }
        self.pass_fault_point("publish.asked").await?;
        let pushed = repo.push(remote, new, target).await?;
        self.pass_fault_point("publish.pushed").await?;
        match pushed {
            PushOutcome::Accepted | PushOutcome::UpToDate => {}
            PushOutcome::NonFastForward => {
                self.fetch_target(repo, &there, target).await?;
                return self.resolve_moved_target(repo, target, new, turn).await;
            }
            PushOutcome::Rejected { message } => {
                return Err(self.push_declined(remote, target, message));
            }
            PushOutcome::Failed(RemoteError { kind: RemoteErrorKind::Unknown, message }) => {
                // The result is unknown; read the remote branch.
                let fetched = repo.fetch(remote, &self.engine.0.repo_locks, target).await;
                let tip = fetched.map_err(|error| self.remote_error(remote, error))?;
                let arrived = match &tip {
                    Some(tip) => repo.is_ancestor(new, tip).await?,
                    None => false,
                };
                if !arrived {
                    return Err(self.wait_for_remote(remote, message));
                }
            }
            PushOutcome::Failed(trouble) => {
                return Err(self.remote_error(remote, RemoteQueryError::Remote(trouble)));
            }
        }
        repo.record_pushed(&self.engine.0.repo_locks, target, new).await?;
        self.pass_fault_point("publish.noted").await?;
        Ok(LandingPush::Pushed { _turn: turn })
    }

    /// Whether the remote contains a commit that an earlier attempt tried to push. If so, moves the local branch to it.
    pub(crate) async fn remote_contains(
        &self,
        repo: &Repo,
        target: &BranchName,
        new: &ObjectId,
    ) -> Result<bool, EffectError> {
        let Some(there) = self.load_push_remote().await? else { return Ok(false) };
        let _turn = self.engine.0.push_locks.lock_repo(there.row.id).await;
        let fetched = repo.fetch(&there.remote, &self.engine.0.repo_locks, target).await;
        let tip = fetched.map_err(|error| self.remote_error(&there.remote, error))?;
        let arrived = match &tip {
            Some(tip) => repo.is_ancestor(new, tip).await?,
            None => false,
        };
        if arrived {
            self.follow_remote_target(repo, &there, target, tip).await?;
        }
        Ok(arrived)
    }

    /// Whether landings are pushed.
    pub(crate) async fn is_published(&self) -> Result<bool, EffectError> {
        Ok(self.load_push_remote().await?.is_some())
    }

    pub(crate) async fn load_push_remote(&self) -> Result<Option<PushRemote>, EffectError> {
        let row = self.engine.load_repo_row(&self.task).await?;
        match self.engine.load_publish_remote(&row).await {
            Ok(remote) => Ok(remote.map(|remote| PushRemote { row, remote })),
            Err(error) if error.is_transient() => {
                Err(self.wait_for_url(row.url.unwrap_or_default(), error.to_string()))
            }
            Err(error) => {
                let next = "put it right, then move the task back";
                let url = row.url.unwrap_or_default();
                Err(push_failed("auth", &url, error.to_string(), next))
            }
        }
    }

    /// Fetches the branch and moves the local one to it.
    pub(crate) async fn fetch_target(
        &self,
        repo: &Repo,
        there: &PushRemote,
        target: &BranchName,
    ) -> Result<RemoteSync, EffectError> {
        let fetched = repo.fetch(&there.remote, &self.engine.0.repo_locks, target).await;
        let tip = fetched.map_err(|error| self.remote_error(&there.remote, error))?;
        self.pass_fault_point("publish.fetched").await?;
        self.follow_remote_target(repo, there, target, tip).await
    }

    async fn follow_remote_target(
        &self,
        repo: &Repo,
        there: &PushRemote,
        target: &BranchName,
        theirs: Option<ObjectId>,
    ) -> Result<RemoteSync, EffectError> {
        let Some(theirs) = theirs else {
            return Err(self.remote_branch_missing(&there.remote, target));
        };
        if there.row.url.is_some() {
            return match repo.follow_remote(&self.engine.0.repo_locks, target).await? {
                FollowOutcome::FastForwarded(_) | FollowOutcome::Rewritten(_) => {
                    Ok(RemoteSync::Moved)
                }
                FollowOutcome::Unchanged => Ok(RemoteSync::UpToDate),
                FollowOutcome::BranchMissing => {
                    Err(self.remote_branch_missing(&there.remote, target))
                }
                FollowOutcome::Diverged { ours, theirs } => {
                    Err(diverged(&there.remote, target, &ours, &theirs))
                }
            };
        }
        let Some(ours) = repo.tip(target).await? else { return Ok(RemoteSync::Moved) };
        if repo.is_ancestor(&theirs, &ours).await? {
            return Ok(RemoteSync::UpToDate);
        }
        if !repo.is_ancestor(&ours, &theirs).await? {
            return Err(diverged(&there.remote, target, &ours, &theirs));
        }
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        let held = self.hold_checkouts(&locked, target, &ours, &theirs).await?;
        match locked.move_branch(target, &theirs, &ours, "forge: fetched").await {
            Ok(()) => self.update_checkouts(&locked, held, target, (&ours, &theirs)).await?,
            Err(BranchMoveError::Moved { .. }) => {}
            Err(BranchMoveError::Locked { lock }) => {
                return Err(self.target_is_locked(target, &lock));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(RemoteSync::Moved)
    }

    /// If an answer to a push was lost, the commit that moved the branch may be our own.
    async fn resolve_moved_target(
        &self,
        repo: &Repo,
        target: &BranchName,
        new: &ObjectId,
        turn: OwnedMutexGuard<()>,
    ) -> Result<LandingPush, EffectError> {
        match repo.tip(target).await? {
            Some(tip) if repo.is_ancestor(new, &tip).await? => {
                Ok(LandingPush::Pushed { _turn: turn })
            }
            _ => Ok(LandingPush::TargetMoved),
        }
    }

    pub(crate) fn remote_error(&self, remote: &RemoteRepo, error: RemoteQueryError) -> EffectError {
        let trouble = match error {
            RemoteQueryError::Git(error) => return error.into(),
            RemoteQueryError::Remote(trouble) => trouble,
        };
        let url = remote.url().as_str();
        match trouble.kind {
            RemoteErrorKind::Auth => push_failed(
                "auth",
                url,
                trouble.to_string(),
                "give the repository a token that may write (PUT …/repos/{id}/credential), then move the task back",
            ),
            RemoteErrorKind::NotFound => push_failed(
                "address",
                url,
                trouble.to_string(),
                "check the address and that the token may see it, then move the task back",
            ),
            RemoteErrorKind::Network | RemoteErrorKind::Unknown => {
                self.wait_for_remote(remote, trouble.message)
            }
        }
    }

    pub(crate) fn push_declined(
        &self,
        remote: &RemoteRepo,
        target: &BranchName,
        message: String,
    ) -> EffectError {
        let message = format!("it does not take a push to {target}: {message}");
        let next = "let Forge push to that branch or change merge_config.target_branch, then move the task back";
        push_failed("rejected", remote.url().as_str(), message, next)
    }

    fn remote_branch_missing(&self, remote: &RemoteRepo, target: &BranchName) -> EffectError {
        let message = format!("there is no branch {target} any more");
        let next = "make it again or change merge_config.target_branch, then move the task back";
        push_failed("gone", remote.url().as_str(), message, next)
    }

    pub(crate) fn wait_for_remote(&self, remote: &RemoteRepo, message: String) -> EffectError {
        self.wait_for_url(remote.url().to_string(), message)
    }

    pub(crate) fn wait_for_url(&self, url: String, message: String) -> EffectError {
        let error = format!("{url} cannot be reached: {message}");
        let result = LandResult::PushWaits { url, message };
        EffectError::Waiting {
            report: Box::new(EffectReport::LandingEnded { visit: self.row.visit, result }),
            error,
            patience_seconds: LONGEST_WAIT_SECONDS,
        }
    }
}

fn diverged(
    remote: &RemoteRepo,
    target: &BranchName,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> EffectError {
    let message =
        format!("{target} here ({ours}) and there ({theirs}) each have commits the other has not");
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
