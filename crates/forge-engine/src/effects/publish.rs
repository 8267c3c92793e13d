//! Landing elsewhere (M-7, M-17): what lands is pushed first, never by force, and the branch here follows. Whatever the
//! other side's answer, it is asked where its branch is before anything is tried again.

use super::Failure;
use super::land::follow;
use super::perform::Step;
use forge_domain::task::AnnotationType;
use forge_domain::{LandResult, Report};
use forge_git::{
    AskError, BranchName, Followed, MoveError, ObjectId, Push, RemoteRepo, RemoteTrouble, Repo,
    TroubleKind,
};
use forge_store::tables::repos;
use serde_json::json;
use tokio::sync::OwnedMutexGuard;

const LONGEST_WAIT_SECONDS: u64 = 300;

/// Where a commit is after it was to be pushed.
#[derive(Debug)]
pub(super) enum Published {
    /// Nobody wants it elsewhere.
    Nowhere,
    /// The branch elsewhere has it. Nobody else pushes there until the branch here has it too.
    There {
        /// Until then.
        _turn: OwnedMutexGuard<()>,
    },
    /// Another commit was first; the landing begins again on top of it.
    Overtaken,
}

/// Where a landing goes.
#[derive(Debug)]
pub(super) struct Elsewhere {
    pub(super) row: repos::Repo,
    pub(super) remote: RemoteRepo,
}

/// How our branch stands to the one elsewhere.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has all that is there.
    Level,
    /// It went to where that one is.
    Moved,
}

impl Step<'_> {
    /// Pushes a commit that is about to land.
    pub(super) async fn publish(
        &self,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Published, Failure> {
        let Some(there) = self.elsewhere().await? else { return Ok(Published::Nowhere) };
        let turn = self.engine.0.pushes.take(there.row.id).await;
        if repo.tip(target).await?.as_ref() != Some(old) {
            return Ok(Published::Overtaken);
        }
        let remote = &there.remote;
        let asked = repo.remote_tip(remote, target).await;
        match asked.map_err(|error| self.unanswered(remote, error))? {
            None if there.row.default_branch != target.as_str()
                && !repo.knows_elsewhere(target).await? =>
            {
                // It never was there: another task's branch, for instance.
                return Ok(Published::Nowhere);
            }
            None => return Err(self.gone(remote, target)),
            Some(tip) if tip == *old => {}
            Some(_) => {
                if self.catch_up(repo, &there, target).await? == Standing::Moved {
                    return self.overtaken_or_there(repo, target, new, turn).await;
                }
            }
        }
        self.reach("publish.asked").await?;
        let pushed = repo.push(remote, new, target).await?;
        self.reach("publish.pushed").await?;
        match pushed {
            Push::Accepted | Push::AlreadyThere => {}
            Push::Behind => {
                self.catch_up(repo, &there, target).await?;
                return self.overtaken_or_there(repo, target, new, turn).await;
            }
            Push::Declined { message } => return Err(self.declined(remote, target, message)),
            Push::Failed(RemoteTrouble { kind: TroubleKind::Unknown, message }) => {
                // Only the other side knows.
                let fetched = repo.fetch(remote, &self.engine.0.repo_locks, target).await;
                let tip = fetched.map_err(|error| self.unanswered(remote, error))?;
                let arrived = match &tip {
                    Some(tip) => repo.is_ancestor(new, tip).await?,
                    None => false,
                };
                if !arrived {
                    return Err(self.waits(remote, message));
                }
            }
            Push::Failed(trouble) => {
                return Err(self.unanswered(remote, AskError::Remote(trouble)));
            }
        }
        repo.note_pushed(&self.engine.0.repo_locks, target, new).await?;
        self.reach("publish.noted").await?;
        Ok(Published::There { _turn: turn })
    }

    /// Whether a commit that an earlier holder of this step was to push is elsewhere. The branch here has it then.
    pub(super) async fn arrived_elsewhere(
        &self,
        repo: &Repo,
        target: &BranchName,
        new: &ObjectId,
    ) -> Result<bool, Failure> {
        let Some(there) = self.elsewhere().await? else { return Ok(false) };
        let _turn = self.engine.0.pushes.take(there.row.id).await;
        let fetched = repo.fetch(&there.remote, &self.engine.0.repo_locks, target).await;
        let tip = fetched.map_err(|error| self.unanswered(&there.remote, error))?;
        let arrived = match &tip {
            Some(tip) => repo.is_ancestor(new, tip).await?,
            None => false,
        };
        if arrived {
            self.join(repo, &there, target, tip).await?;
        }
        Ok(arrived)
    }

    /// Whether what lands is pushed.
    pub(super) async fn is_published(&self) -> Result<bool, Failure> {
        Ok(self.elsewhere().await?.is_some())
    }

    pub(super) async fn elsewhere(&self) -> Result<Option<Elsewhere>, Failure> {
        let row = self.engine.repo_row(&self.task).await?;
        match self.engine.publishes_to(&row).await {
            Ok(remote) => Ok(remote.map(|remote| Elsewhere { row, remote })),
            Err(error) if error.is_passing() => {
                Err(self.waits_for(row.url.unwrap_or_default(), error.to_string()))
            }
            Err(error) => {
                let next = "put it right, then move the task back";
                let url = row.url.unwrap_or_default();
                Err(failed("auth", &url, error.to_string(), next))
            }
        }
    }

    /// Fetches the branch and lets ours follow it.
    pub(super) async fn catch_up(
        &self,
        repo: &Repo,
        there: &Elsewhere,
        target: &BranchName,
    ) -> Result<Standing, Failure> {
        let fetched = repo.fetch(&there.remote, &self.engine.0.repo_locks, target).await;
        let tip = fetched.map_err(|error| self.unanswered(&there.remote, error))?;
        self.reach("publish.fetched").await?;
        self.join(repo, there, target, tip).await
    }

    async fn join(
        &self,
        repo: &Repo,
        there: &Elsewhere,
        target: &BranchName,
        theirs: Option<ObjectId>,
    ) -> Result<Standing, Failure> {
        let Some(theirs) = theirs else { return Err(self.gone(&there.remote, target)) };
        if there.row.url.is_some() {
            return match repo.follow_remote(&self.engine.0.repo_locks, target).await? {
                Followed::Moved(_) | Followed::Rewritten(_) => Ok(Standing::Moved),
                Followed::Unchanged => Ok(Standing::Level),
                Followed::Absent => Err(self.gone(&there.remote, target)),
                Followed::Diverged { ours, theirs } => {
                    Err(diverged(&there.remote, target, &ours, &theirs))
                }
            };
        }
        let Some(ours) = repo.tip(target).await? else { return Ok(Standing::Moved) };
        if repo.is_ancestor(&theirs, &ours).await? {
            return Ok(Standing::Level);
        }
        if !repo.is_ancestor(&ours, &theirs).await? {
            return Err(diverged(&there.remote, target, &ours, &theirs));
        }
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        let held = self.hold_checkouts(&locked, target, &ours, &theirs).await?;
        match locked.move_branch(target, &theirs, &ours, "forge: fetched").await {
            Ok(()) => follow(&locked, held, &ours, &theirs).await,
            Err(MoveError::Moved { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Standing::Moved)
    }

    /// A push whose answer was lost may be what we were overtaken by.
    async fn overtaken_or_there(
        &self,
        repo: &Repo,
        target: &BranchName,
        new: &ObjectId,
        turn: OwnedMutexGuard<()>,
    ) -> Result<Published, Failure> {
        match repo.tip(target).await? {
            Some(tip) if repo.is_ancestor(new, &tip).await? => Ok(Published::There { _turn: turn }),
            _ => Ok(Published::Overtaken),
        }
    }

    pub(super) fn unanswered(&self, remote: &RemoteRepo, error: AskError) -> Failure {
        let trouble = match error {
            AskError::Git(error) => return error.into(),
            AskError::Remote(trouble) => trouble,
        };
        let url = remote.url().as_str();
        match trouble.kind {
            TroubleKind::Auth => failed(
                "auth",
                url,
                trouble.to_string(),
                "give the repository a token that may write (PUT …/repos/{id}/credential), then move the task back",
            ),
            TroubleKind::Address => failed(
                "address",
                url,
                trouble.to_string(),
                "check the address and that the token may see it, then move the task back",
            ),
            TroubleKind::Network | TroubleKind::Unknown => self.waits(remote, trouble.message),
        }
    }

    pub(super) fn declined(
        &self,
        remote: &RemoteRepo,
        target: &BranchName,
        message: String,
    ) -> Failure {
        let message = format!("it does not take a push to {target}: {message}");
        let next = "let Forge push to that branch or change merge_config.target_branch, then move the task back";
        failed("rejected", remote.url().as_str(), message, next)
    }

    fn gone(&self, remote: &RemoteRepo, target: &BranchName) -> Failure {
        let message = format!("there is no branch {target} any more");
        let next = "make it again or change merge_config.target_branch, then move the task back";
        failed("gone", remote.url().as_str(), message, next)
    }

    pub(super) fn waits(&self, remote: &RemoteRepo, message: String) -> Failure {
        self.waits_for(remote.url().to_string(), message)
    }

    pub(super) fn waits_for(&self, url: String, message: String) -> Failure {
        let error = format!("{url} cannot be reached: {message}");
        let result = LandResult::PushWaits { url, message };
        Failure::Waits {
            report: Box::new(Report::LandingEnded { visit: self.row.visit, result }),
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
) -> Failure {
    let message =
        format!("{target} here ({ours}) and there ({theirs}) each have commits the other has not");
    let next = "bring them together (git pull --rebase, for instance), then move the task back";
    failed("diverged", remote.url().as_str(), message, next)
}

/// The task is parked; its worktree and its branch stay.
fn failed(kind: &str, url: &str, message: String, next: &str) -> Failure {
    let details = json!({ "kind": kind, "url": url, "message": message, "next_step": next });
    Failure::Final {
        trouble: AnnotationType::PushFailed,
        message: format!("not pushed to {url}: {message}; {next}"),
        details,
    }
}
