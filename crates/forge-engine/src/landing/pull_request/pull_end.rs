//! The end of a pull request (M-16): GitHub merged it, at any client's request, or it conflicts.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::land::{LandingContext, LandingIntent, landing_ended};
use crate::landing::publish::wait_for_remote;
use crate::landing::pull_request::github_remote::{GitHubRemote, github_error};
use crate::landing::pull_request::pull_watch::{
    PullRequestWatch, PullRequests, report_pull, target_tip, wait_for,
};
use crate::landing::train::{LandingCandidate, TrialMerge};
use forge_domain::task::{MergeStrategy, PullRequestState, PullRequestWait};
use forge_domain::{ConflictHunk, LandResult};
use forge_git::{BranchName, ObjectId, Repo};
use forge_github::{GitHubPull, GitHubPullState};

impl PullRequests {
    /// Moves the local target to the merge commit.
    pub(crate) async fn settle_merged(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        pull: &GitHubPull,
        head: &ObjectId,
    ) -> Result<EffectOutcome, EffectError> {
        let LandingContext { repo, target, visit, .. } = landing;
        Ok(landing_ended(
            *visit,
            self.follow_merged_pull(effect, repo, target, github_remote, pull, head).await?,
        ))
    }

    /// The task moved on, but a pull request whose merge was requested before may have landed.
    pub(crate) async fn find_late_merge(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<Option<LandResult>, EffectError> {
        let Some(watch) = effect.journalled::<PullRequestWatch>().filter(|watch| watch.merging)
        else {
            return Ok(None);
        };
        let github_remote = self.load_github_remote(effect).await?;
        let asked = github_remote
            .github
            .fetch_pull(&github_remote.repository, watch.pull_request, github_remote.token())
            .await;
        let pull = asked.map_err(|error| github_error(effect, &github_remote, error))?;
        if !matches!(pull.state, GitHubPullState::Merged(_)) {
            return Ok(None);
        }
        let (target, _) = effect.load_target(repo).await?;
        let head = parse_object_id(&watch.head)?;
        self.follow_merged_pull(effect, repo, &target, &github_remote, &pull, &head).await.map(Some)
    }

    async fn follow_merged_pull(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
        github_remote: &GitHubRemote,
        pull: &GitHubPull,
        head: &ObjectId,
    ) -> Result<LandResult, EffectError> {
        let GitHubPullState::Merged(commit) = &pull.state else {
            return Err(EffectError::transient(format!(
                "pull request {} is open again",
                pull.number
            )));
        };
        let commit = parse_object_id(commit)?;
        if !self.publisher.remote_contains(effect, repo, target, &commit).await? {
            let said = format!("it merged {commit}, and {target} does not have it yet");
            return Err(wait_for_remote(effect, &github_remote.push_remote.remote, said));
        }
        effect.pass_fault_point("pull.fetched").await?;
        report_pull(effect, pull, head.as_str(), PullRequestState::Merged, None).await?;
        let count = match effect.task.merge_config.strategy {
            MergeStrategy::Squash | MergeStrategy::Merge => 1,
            MergeStrategy::Rebase => match repo.merge_base(&commit, head).await? {
                Some(base) => repo.count_since(&base, head).await?,
                None => 1,
            },
        };
        let old = repo.nth_first_parent(&commit, count).await?.unwrap_or_else(|| commit.clone());
        let intent = LandingIntent {
            target: target.to_string(),
            old: old.to_string(),
            new: commit.to_string(),
        };
        effect.journal_intent(&intent).await?;
        effect.pass_fault_point("pull.landed").await?;
        self.pools.maintain_pool(effect.task.repo_id);
        Ok(LandResult::Merged { commit: commit.to_string(), target: target.to_string() })
    }

    /// Why the branch cannot merge into its target, as far as a local trial merge can tell.
    pub(crate) async fn find_merge_problem(
        &self,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        tip: &ObjectId,
    ) -> Result<Option<LandResult>, EffectError> {
        let target = landing.target.to_string();
        match candidate.merge_onto(&landing.repo, tip).await? {
            TrialMerge::Clean { .. } => Ok(None),
            TrialMerge::Empty => Ok(Some(LandResult::NothingToMerge { target })),
            TrialMerge::GitFailed { error } => Err(EffectError::transient(error)),
            TrialMerge::Conflict { base, files, marked } => {
                let culprits =
                    self.culprits.find_landings_in_files(landing, candidate, &base, &files).await?;
                let hunks = landing.repo.load_hunks(&marked, &files).await?.into_iter();
                let hunks = hunks.map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text });
                let hunks = hunks.collect();
                Ok(Some(LandResult::Conflict { files, target, hunks, culprits }))
            }
        }
    }

    /// GitHub reports a conflict; a local trial merge finds the files.
    pub(crate) async fn find_conflict(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        candidate: &LandingCandidate,
        pull: &GitHubPull,
        watch: &PullRequestWatch,
    ) -> Result<EffectOutcome, EffectError> {
        let push_lock = self.push_locks.lock_repo(github_remote.push_remote.row.id).await;
        self.publisher
            .fetch_target(effect, &landing.repo, &github_remote.push_remote, &landing.target)
            .await?;
        drop(push_lock);
        let tip = target_tip(&landing.repo, &landing.target).await?;
        match self.find_merge_problem(landing, candidate, &tip).await? {
            Some(result) => Ok(landing_ended(landing.visit, result)),
            // The branch merges by now; GitHub will notice later.
            None => Err(wait_for(pull, watch, PullRequestWait::Mergeability)),
        }
    }
}

fn parse_object_id(id: &str) -> Result<ObjectId, EffectError> {
    ObjectId::new(id).map_err(EffectError::transient)
}
