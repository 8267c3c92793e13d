//! The remote branch of a pull request (M-16): force-push only over commits that Forge pushed itself.

use crate::effects::{EffectContext, EffectError};
use crate::landing::land::LandingContext;
use crate::landing::publish::{push_declined, remote_error};
use crate::landing::pull_request::github_remote::GitHubRemote;
use crate::landing::pull_request::pull_watch::PullRequests;
use forge_domain::task::AnnotationType;
use forge_git::{ObjectId, PushOutcome, RemoteQueryError};
use serde_json::json;

impl PullRequests {
    /// Ensures that the remote branch is at this commit.
    pub(crate) async fn push_branch(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        head: &ObjectId,
    ) -> Result<(), EffectError> {
        let LandingContext { repo, branch, .. } = landing;
        let remote = &github_remote.push_remote.remote;
        let locks = &self.repo_locks;
        // Fetch with objects, to compare histories.
        let fetched = repo.fetch(remote, locks, branch).await;
        let theirs = fetched.map_err(|error| remote_error(effect, remote, error))?;
        let pushed = match &theirs {
            Some(tip) if tip == head => return Ok(()),
            None => repo.push_with_lease(remote, head, branch, None).await?,
            Some(tip) if repo.is_ancestor(tip, head).await? => {
                repo.push(remote, head, branch).await?
            }
            Some(tip) if pushed_last(effect).is_some_and(|last| last == tip.as_str()) => {
                repo.push_with_lease(remote, head, branch, Some(tip)).await?
            }
            Some(tip) => return Err(unreviewed_push(effect, landing, head, tip)),
        };
        effect.pass_fault_point("pull.pushed").await?;
        match pushed {
            PushOutcome::Accepted | PushOutcome::UpToDate => {
                Ok(repo.record_pushed(locks, branch, head).await?)
            }
            PushOutcome::NonFastForward => {
                Err(EffectError::transient(format!("{branch} was pushed to meanwhile")))
            }
            PushOutcome::Rejected { message } => Err(push_declined(remote, branch, message)),
            // If the push arrived anyway, the next attempt finds it.
            PushOutcome::Failed(trouble) => {
                Err(remote_error(effect, remote, RemoteQueryError::Remote(trouble)))
            }
        }
    }
}

fn pushed_last(effect: &EffectContext) -> Option<&str> {
    effect.task.pull_request.as_ref().map(|known| known.head.as_str())
}

/// Unreviewed commits of others are neither landed nor discarded.
pub(crate) fn unreviewed_push(
    effect: &EffectContext,
    landing: &LandingContext,
    reviewed: &ObjectId,
    theirs: &ObjectId,
) -> EffectError {
    let branch = &landing.branch;
    let message = format!(
        "another client pushed to {branch} ({theirs}), which was reviewed at {reviewed}; nothing was merged. Bring \
         their commits into the branch here or take them away there, then hand the task in again"
    );
    let number = effect.task.pull_request.as_ref().map(|known| known.number);
    let details = json!({
        "reviewed": reviewed.as_str(), "head": theirs.as_str(), "branch": branch.as_str(),
        "pull_request": number,
    });
    EffectError::NeedsPerson { trouble: AnnotationType::Unreviewed, message, details }
}
