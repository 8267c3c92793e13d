//! The branch of a pull request, elsewhere (M-16): only what Forge pushed there itself is ever pushed over.

use super::Failure;
use super::land::Landing;
use super::perform::Step;
use super::pull_host::PullHost;
use forge_domain::task::AnnotationType;
use forge_git::{AskError, ObjectId, Push};
use serde_json::json;

impl Step<'_> {
    /// Sees to it that the branch elsewhere is at this commit.
    pub(super) async fn push_branch(
        &self,
        landing: &Landing,
        host: &PullHost,
        head: &ObjectId,
    ) -> Result<(), Failure> {
        let Landing { repo, branch, .. } = landing;
        let remote = &host.there.remote;
        let locks = &self.engine.0.repo_locks;
        // With its objects: whether ours has all of it can be told only then.
        let fetched = repo.fetch(remote, locks, branch).await;
        let theirs = fetched.map_err(|error| self.unanswered(remote, error))?;
        let pushed = match &theirs {
            Some(tip) if tip == head => return Ok(()),
            None => repo.push_over(remote, head, branch, None).await?,
            Some(tip) if repo.is_ancestor(tip, head).await? => {
                repo.push(remote, head, branch).await?
            }
            Some(tip) if self.pushed_last().is_some_and(|last| last == tip.as_str()) => {
                repo.push_over(remote, head, branch, Some(tip)).await?
            }
            Some(tip) => return Err(self.others_pushed(landing, head, tip)),
        };
        self.reach("pull.pushed").await?;
        match pushed {
            Push::Accepted | Push::AlreadyThere => {
                Ok(repo.note_pushed(locks, branch, head).await?)
            }
            Push::Behind => Err(Failure::Passing(format!("{branch} was pushed to meanwhile"))),
            Push::Declined { message } => Err(self.declined(remote, branch, message)),
            // If it arrived all the same, the next try finds it there.
            Push::Failed(trouble) => Err(self.unanswered(remote, AskError::Remote(trouble))),
        }
    }

    fn pushed_last(&self) -> Option<&str> {
        self.task.pull_request.as_ref().map(|known| known.head.as_str())
    }

    /// What nobody reviewed is not landed, and not thrown away either.
    pub(super) fn others_pushed(
        &self,
        landing: &Landing,
        reviewed: &ObjectId,
        theirs: &ObjectId,
    ) -> Failure {
        let branch = &landing.branch;
        let message = format!(
            "somebody else pushed to {branch} ({theirs}), which was reviewed at {reviewed}; nothing was merged. Bring \
             their commits into the branch here or take them away there, then hand the task in again"
        );
        let number = self.task.pull_request.as_ref().map(|known| known.number);
        let details = json!({
            "reviewed": reviewed.as_str(), "head": theirs.as_str(), "branch": branch.as_str(),
            "pull_request": number,
        });
        Failure::Final { trouble: AnnotationType::Unreviewed, message, details }
    }
}
