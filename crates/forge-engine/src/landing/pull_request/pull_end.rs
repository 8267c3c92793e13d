//! The end of a pull request (M-16): GitHub merged it, at any client's request, or it conflicts.

use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::landing::land::{LandingContext, LandingIntent, landing_ended};
use crate::landing::pull_request::pull_host::PullHost;
use crate::landing::pull_request::pull_watch::PullRequestWatch;
use crate::landing::train::{LandingCandidate, TrialMerge};
use forge_domain::task::{MergeStrategy, PullRequestState, PullRequestWait};
use forge_domain::{ConflictHunk, LandResult};
use forge_git::{BranchName, ObjectId, Repo};
use forge_github::{GitHubPull, GitHubPullState};

impl EffectRun<'_> {
    /// Moves the local target to the merge commit.
    pub(crate) async fn settle_merged(
        &self,
        landing: &LandingContext,
        host: &PullHost,
        pull: &GitHubPull,
        head: &ObjectId,
    ) -> Result<EffectOutcome, EffectError> {
        let LandingContext { repo, target, visit, .. } = landing;
        Ok(landing_ended(*visit, self.follow_merged_pull(repo, target, host, pull, head).await?))
    }

    /// The task moved on, but a pull request whose merge was requested before may have landed.
    pub(crate) async fn find_late_merge(
        &self,
        repo: &Repo,
    ) -> Result<Option<LandResult>, EffectError> {
        let Some(watch) = self.journalled::<PullRequestWatch>().filter(|watch| watch.merging)
        else {
            return Ok(None);
        };
        let host = self.pull_host().await?;
        let asked =
            host.github.fetch_pull(&host.repository, watch.pull_request, host.token()).await;
        let pull = asked.map_err(|error| self.github_error(&host, error))?;
        if !matches!(pull.state, GitHubPullState::Merged(_)) {
            return Ok(None);
        }
        let (target, _) = self.engine.load_target(&self.task, repo).await?;
        let head = parse_object_id(&watch.head)?;
        self.follow_merged_pull(repo, &target, &host, &pull, &head).await.map(Some)
    }

    async fn follow_merged_pull(
        &self,
        repo: &Repo,
        target: &BranchName,
        host: &PullHost,
        pull: &GitHubPull,
        head: &ObjectId,
    ) -> Result<LandResult, EffectError> {
        let GitHubPullState::Merged(commit) = &pull.state else {
            return Err(EffectError::Transient(format!(
                "pull request {} is open again",
                pull.number
            )));
        };
        let commit = parse_object_id(commit)?;
        if !self.remote_contains(repo, target, &commit).await? {
            let said = format!("it merged {commit}, and {target} does not have it yet");
            return Err(self.wait_for_remote(&host.push_remote.remote, said));
        }
        self.pass_fault_point("pull.fetched").await?;
        self.report_pull(pull, head.as_str(), PullRequestState::Merged, None).await?;
        let count = match self.task.merge_config.strategy {
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
        self.engine.journal_intent(self.lease, &intent).await?;
        self.pass_fault_point("pull.landed").await?;
        self.engine.maintain_pool(self.task.repo_id);
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
            TrialMerge::GitFailed { error } => Err(EffectError::Transient(error)),
            TrialMerge::Conflict { base, files, marked } => {
                let culprits =
                    self.find_landings_in_files(landing, candidate, &base, &files).await?;
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
        landing: &LandingContext,
        host: &PullHost,
        candidate: &LandingCandidate,
        pull: &GitHubPull,
        watch: &PullRequestWatch,
    ) -> Result<EffectOutcome, EffectError> {
        let turn = self.engine.0.push_locks.lock_repo(host.push_remote.row.id).await;
        self.fetch_target(&landing.repo, &host.push_remote, &landing.target).await?;
        drop(turn);
        let tip = self.target_tip(&landing.repo, &landing.target).await?;
        match self.find_merge_problem(landing, candidate, &tip).await? {
            Some(result) => Ok(landing_ended(landing.visit, result)),
            // The branch merges by now; GitHub will notice later.
            None => Err(self.wait_for(pull, watch, PullRequestWait::Mergeability)),
        }
    }
}

fn parse_object_id(id: &str) -> Result<ObjectId, EffectError> {
    ObjectId::new(id).map_err(|error| EffectError::Transient(error.to_string()))
}
