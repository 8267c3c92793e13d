//! The end of a pull request (M-16): GitHub merged it, whoever asked for that, or it does not fit any more.

use super::land::{Intent, Landing, told};
use super::perform::Step;
use super::pull::Watch;
use super::pull_host::PullHost;
use super::{Failure, Outcome};
use crate::train::{Cargo, Placement};
use forge_domain::task::{MergeStrategy, PullRequestState, PullRequestWait};
use forge_domain::{ConflictHunk, LandResult};
use forge_git::{BranchName, ObjectId, Repo};
use forge_github::{Pull, PullState};

impl Step<'_> {
    /// What it was merged as becomes the target here too.
    pub(super) async fn settle_merged(
        &self,
        landing: &Landing,
        host: &PullHost,
        pull: &Pull,
        head: &ObjectId,
    ) -> Result<Outcome, Failure> {
        let Landing { repo, target, visit, .. } = landing;
        Ok(told(*visit, self.bring_home(repo, target, host, pull, head).await?))
    }

    /// The task has moved on; a pull request that GitHub was asked to merge before may have landed after all.
    pub(super) async fn merged_after_all(
        &self,
        repo: &Repo,
    ) -> Result<Option<LandResult>, Failure> {
        let Some(watch) = self.journalled::<Watch>().filter(|watch| watch.merging) else {
            return Ok(None);
        };
        let host = self.pull_host().await?;
        let asked = host.github.pull(&host.repository, watch.pull_request, host.token()).await;
        let pull = asked.map_err(|error| self.unheard(&host, error))?;
        if !matches!(pull.state, PullState::Merged(_)) {
            return Ok(None);
        }
        let (target, _) = self.engine.target_of(&self.task, repo).await?;
        let head = object(&watch.head)?;
        self.bring_home(repo, &target, &host, &pull, &head).await.map(Some)
    }

    async fn bring_home(
        &self,
        repo: &Repo,
        target: &BranchName,
        host: &PullHost,
        pull: &Pull,
        head: &ObjectId,
    ) -> Result<LandResult, Failure> {
        let PullState::Merged(commit) = &pull.state else {
            return Err(Failure::Passing(format!("pull request {} is open again", pull.number)));
        };
        let commit = object(commit)?;
        if !self.arrived_elsewhere(repo, target, &commit).await? {
            let said = format!("it merged {commit}, and {target} does not have it yet");
            return Err(self.waits(&host.there.remote, said));
        }
        self.reach("pull.fetched").await?;
        self.note_pull(pull, head.as_str(), PullRequestState::Merged, None).await?;
        let count = match self.task.merge_config.strategy {
            MergeStrategy::Squash | MergeStrategy::Merge => 1,
            MergeStrategy::Rebase => match repo.merge_base(&commit, head).await? {
                Some(base) => repo.count_since(&base, head).await?,
                None => 1,
            },
        };
        let old = repo.before(&commit, count).await?.unwrap_or_else(|| commit.clone());
        let intent =
            Intent { target: target.to_string(), old: old.to_string(), new: commit.to_string() };
        self.engine.journal(self.claimed, &intent).await?;
        self.reach("pull.landed").await?;
        self.engine.tend_pool(self.task.repo_id);
        Ok(LandResult::Merged { commit: commit.to_string(), target: target.to_string() })
    }

    /// Why the branch could not become part of its target, if that can be told here.
    pub(super) async fn unfit(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        tip: &ObjectId,
    ) -> Result<Option<LandResult>, Failure> {
        let target = landing.target.to_string();
        match cargo.place(&landing.repo, tip).await? {
            Placement::At { .. } => Ok(None),
            Placement::Nothing => Ok(Some(LandResult::NothingToMerge { target })),
            Placement::Unclear { error } => Err(Failure::Passing(error)),
            Placement::Clash { base, files, marked } => {
                let culprits = self.landed_in(landing, cargo, &base, &files).await?;
                let hunks = landing.repo.load_hunks(&marked, &files).await?.into_iter();
                let hunks = hunks.map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text });
                let hunks = hunks.collect();
                Ok(Some(LandResult::Conflict { files, target, hunks, culprits }))
            }
        }
    }

    /// GitHub says that it conflicts: with what, is found out here.
    pub(super) async fn find_conflict(
        &self,
        landing: &Landing,
        host: &PullHost,
        cargo: &Cargo,
        pull: &Pull,
        watch: &Watch,
    ) -> Result<Outcome, Failure> {
        let turn = self.engine.0.pushes.take(host.there.row.id).await;
        self.catch_up(&landing.repo, &host.there, &landing.target).await?;
        drop(turn);
        let tip = self.target_tip(&landing.repo, &landing.target).await?;
        match self.unfit(landing, cargo, &tip).await? {
            Some(result) => Ok(told(landing.visit, result)),
            // It fits by now; GitHub will see it too.
            None => Err(self.wait_for(pull, watch, PullRequestWait::Mergeability)),
        }
    }
}

fn object(id: &str) -> Result<ObjectId, Failure> {
    ObjectId::new(id).map_err(|error| Failure::Passing(error.to_string()))
}
