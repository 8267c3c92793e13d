//! Landing by a pull request (M-16): push the branch, open the pull request, watch its checks and state; what GitHub
//! merges is what landed. Each look is one attempt of the effect, which waits between looks like any other.

use crate::command::clock::Clock;
use crate::command::lookup::RecordReader;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::land::{LandingContext, landing_cancelled, landing_ended};
use crate::landing::publish::{LandingPublisher, remote_error};
use crate::landing::pull_request::github_remote::{GitHubRemote, github_error, github_rejected};
use crate::landing::pull_request::pull_branch::unreviewed_push;
use crate::landing::pull_request::pull_open::commit_text;
use crate::landing::train::LandingCandidate;
use crate::landing::train::candidate_builder::CandidateBuilder;
use crate::landing::train::culprit::CulpritSearch;
use crate::remote::access::Remotes;
use crate::remote::{PushLocks, RemoteSettings};
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::task::{
    AnnotationType, MergeStrategy, PullRequest, PullRequestState, PullRequestWait,
};
use forge_domain::{EffectReport, LandResult, RemoteCheck};
use forge_git::{BranchName, ObjectId, Repo, RepoLocks};
use forge_github::{
    CommitChecks, GitHubPull, GitHubPullState, MergeMethod, MergePullOutcome, MergeableState,
};
use forge_store::Db;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// One look costs a handful of API requests; GitHub allows some thousands an hour.
const LOOK_AGAIN_SECONDS: u64 = 120;
/// Checks appear a little after a push. A branch without checks after this time has none.
const CHECKS_BEGIN_MILLIS: i64 = 30_000;

/// The watched pull request. Journalled, so that a later attempt continues with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PullRequestWatch {
    pub(crate) pull_request: u64,
    /// The pushed commit.
    pub(crate) head: String,
    /// Time of the push in milliseconds.
    pub(crate) since: i64,
    /// Whether GitHub may have been asked to merge it.
    pub(crate) merging: bool,
}

/// Lands branches by pull requests on GitHub.
#[derive(Debug, Clone)]
pub struct PullRequests {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) candidates: CandidateBuilder,
    pub(crate) culprits: CulpritSearch,
    pub(crate) pools: WorktreePools,
    pub(crate) publisher: LandingPublisher,
    pub(crate) push_locks: PushLocks,
    pub(crate) records: RecordReader,
    pub(crate) remote_settings: RemoteSettings,
    pub(crate) remotes: Remotes,
    pub(crate) repo_locks: RepoLocks,
}

impl PullRequests {
    pub(crate) async fn land_by_pull(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        head: ObjectId,
    ) -> Result<EffectOutcome, EffectError> {
        let github_remote = self.load_github_remote(effect).await?;
        let watched =
            effect.journalled::<PullRequestWatch>().filter(|watch| watch.head == head.as_str());
        let (watch, pull, candidate) = match watched {
            Some(watch) => {
                let asked = github_remote.github.fetch_pull(
                    &github_remote.repository,
                    watch.pull_request,
                    github_remote.token(),
                );
                let pull =
                    asked.await.map_err(|error| github_error(effect, &github_remote, error))?;
                let tip = target_tip(&landing.repo, &landing.target).await?;
                (
                    watch,
                    pull,
                    self.candidates.build_candidate(effect, &landing.repo, &tip, head).await?,
                )
            }
            None => {
                let push_lock = self.push_locks.lock_repo(github_remote.push_remote.row.id).await;
                if let Some(pull) =
                    self.find_merged_pull(effect, landing, &github_remote, &head).await?
                {
                    drop(push_lock);
                    return self.settle_merged(effect, landing, &github_remote, &pull, &head).await;
                }
                self.publisher
                    .fetch_target(
                        effect,
                        &landing.repo,
                        &github_remote.push_remote,
                        &landing.target,
                    )
                    .await?;
                let tip = target_tip(&landing.repo, &landing.target).await?;
                let candidate = self
                    .candidates
                    .build_candidate(effect, &landing.repo, &tip, head.clone())
                    .await?;
                if let Some(result) = self.find_merge_problem(landing, &candidate, &tip).await? {
                    return Ok(landing_ended(landing.visit, result));
                }
                self.push_branch(effect, landing, &github_remote, &head).await?;
                let (watch, pull) =
                    self.open_pull(effect, landing, &github_remote, &candidate).await?;
                drop(push_lock);
                (watch, pull, candidate)
            }
        };
        let head = &candidate.head;
        match pull.state {
            GitHubPullState::Merged(_) => {
                self.settle_merged(effect, landing, &github_remote, &pull, head).await
            }
            GitHubPullState::Closed => {
                report_pull(effect, &pull, &watch.head, PullRequestState::Closed, None).await?;
                Err(pull_request_closed(&pull))
            }
            GitHubPullState::Open(mergeable) => {
                Box::pin(self.check_open_pull(
                    effect,
                    landing,
                    &github_remote,
                    (&watch, &pull),
                    mergeable,
                    &candidate,
                ))
                .await
            }
        }
    }

    async fn check_open_pull(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        (watch, pull): (&PullRequestWatch, &GitHubPull),
        mergeable: MergeableState,
        candidate: &LandingCandidate,
    ) -> Result<EffectOutcome, EffectError> {
        if pull.head != watch.head {
            let LandingContext { repo, branch, .. } = landing;
            let asked = repo.remote_tip(&github_remote.push_remote.remote, branch).await;
            let theirs = asked
                .map_err(|error| remote_error(effect, &github_remote.push_remote.remote, error))?;
            return Err(match theirs {
                Some(theirs) if theirs != candidate.head => {
                    report_open_pull(effect, pull, watch, None).await?;
                    unreviewed_push(effect, landing, &candidate.head, &theirs)
                }
                // The remote branch is right; the pull request page lags behind.
                _ => wait_for(pull, watch, PullRequestWait::Mergeability),
            });
        }
        if mergeable == MergeableState::Dirty {
            report_open_pull(effect, pull, watch, None).await?;
            return self
                .find_conflict(effect, landing, github_remote, candidate, pull, watch)
                .await;
        }
        let asked = github_remote
            .github
            .fetch_checks(&github_remote.repository, &watch.head, github_remote.token())
            .await;
        match asked.map_err(|error| github_error(effect, github_remote, error))? {
            CommitChecks::Failed(failed) => {
                report_open_pull(effect, pull, watch, None).await?;
                let failed = failed.into_iter();
                let failed = failed.map(|one| RemoteCheck { name: one.name, url: one.url });
                let result = LandResult::RemoteChecksFailed {
                    target: landing.target.to_string(),
                    commit: watch.head.clone(),
                    pull_request: pull.number,
                    failed: failed.collect(),
                };
                return Ok(landing_ended(landing.visit, result));
            }
            CommitChecks::Pending => {
                return Err(wait_for(pull, watch, PullRequestWait::Checks));
            }
            CommitChecks::None if self.clock.now().millis() - watch.since < CHECKS_BEGIN_MILLIS => {
                return Err(wait_for(pull, watch, PullRequestWait::Checks));
            }
            CommitChecks::None | CommitChecks::Passed => {}
        }
        let waits = match mergeable {
            _ if effect.project.settings.landing()?.paused => PullRequestWait::Pause,
            MergeableState::Clean | MergeableState::Unstable => {
                return self
                    .merge_pull(effect, landing, github_remote, watch, pull, candidate)
                    .await;
            }
            MergeableState::Behind => {
                report_open_pull(effect, pull, watch, Some(PullRequestWait::Rules)).await?;
                let said = format!(
                    "{} wants branches to be up to date before they are merged, and {} is not",
                    landing.target, landing.branch
                );
                let next = "bring the target into the branch and hand the task in again, or relax the rule";
                return Err(github_rejected(github_remote, &said, next));
            }
            MergeableState::Blocked => PullRequestWait::Rules,
            MergeableState::Draft => PullRequestWait::Draft,
            MergeableState::Unknown | MergeableState::Dirty => PullRequestWait::Mergeability,
        };
        Err(wait_for(pull, watch, waits))
    }

    async fn merge_pull(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        watch: &PullRequestWatch,
        pull: &GitHubPull,
        candidate: &LandingCandidate,
    ) -> Result<EffectOutcome, EffectError> {
        let merging = PullRequestWatch { merging: true, ..watch.clone() };
        let visit = landing.visit;
        if !effect.journal_landing(&merging, visit).await? {
            return Ok(landing_cancelled(visit));
        }
        effect.pass_fault_point("pull.merging").await?;
        let method = match candidate.strategy {
            MergeStrategy::Squash => MergeMethod::Squash,
            MergeStrategy::Merge => MergeMethod::Merge,
            MergeStrategy::Rebase => MergeMethod::Rebase,
        };
        let mut text = commit_text(effect, candidate);
        text.body.push_str(&format!("Forge-Pull-Request: {}\n", pull.url));
        let GitHubRemote { github, repository, .. } = github_remote;
        let merged = github.merge_pull(
            repository,
            pull.number,
            &watch.head,
            (method, &text),
            github_remote.token(),
        );
        let merged = merged.await;
        effect.pass_fault_point("pull.merged").await?;
        match merged.map_err(|error| github_error(effect, github_remote, error))? {
            MergePullOutcome::Merged(commit) => {
                let pull = GitHubPull { state: GitHubPullState::Merged(commit), ..pull.clone() };
                self.settle_merged(effect, landing, github_remote, &pull, &candidate.head).await
            }
            // The next look finds out whose commit it is.
            MergePullOutcome::HeadMoved => {
                Err(wait_for(pull, watch, PullRequestWait::Mergeability))
            }
            MergePullOutcome::Refused(said) if said.contains("not allowed on this repository") => {
                let next = "allow that way of merging there or change merge_config.strategy, then move the task back";
                Err(github_rejected(github_remote, &said, next))
            }
            MergePullOutcome::Refused(said) => {
                tracing::info!(task = %effect.task.key(), said, "pull request was not merged");
                Err(wait_for(pull, watch, PullRequestWait::Rules))
            }
        }
    }
}

pub(crate) async fn target_tip(repo: &Repo, target: &BranchName) -> Result<ObjectId, EffectError> {
    let gone = || EffectError::workspace(format!("the target branch {target} is gone"));
    repo.tip(target).await?.ok_or_else(gone)
}

/// Reports the state of the pull request if it changed.
pub(crate) async fn report_pull(
    effect: &EffectContext,
    pull: &GitHubPull,
    head: &str,
    state: PullRequestState,
    waits_for: Option<PullRequestWait>,
) -> Result<(), EffectError> {
    let seen = pull_request_record(pull, head, state, waits_for);
    if effect.task.pull_request.as_ref() != Some(&seen) {
        let report = EffectReport::PullRequestSeen { pull_request: seen };
        effect.report_progress(report).await?;
        effect.pass_fault_point("pull.noted").await?;
    }
    Ok(())
}

pub(crate) async fn report_open_pull(
    effect: &EffectContext,
    pull: &GitHubPull,
    watch: &PullRequestWatch,
    waits_for: Option<PullRequestWait>,
) -> Result<(), EffectError> {
    report_pull(effect, pull, &watch.head, PullRequestState::Open, waits_for).await
}

pub(crate) fn wait_for(
    pull: &GitHubPull,
    watch: &PullRequestWatch,
    what: PullRequestWait,
) -> EffectError {
    let seen = pull_request_record(pull, &watch.head, PullRequestState::Open, Some(what));
    EffectError::Waiting {
        report: Box::new(EffectReport::PullRequestSeen { pull_request: seen }),
        error: format!("pull request {} is open", pull.number),
        patience_seconds: LOOK_AGAIN_SECONDS,
    }
}

fn pull_request_record(
    pull: &GitHubPull,
    head: &str,
    state: PullRequestState,
    waits_for: Option<PullRequestWait>,
) -> PullRequest {
    PullRequest {
        number: pull.number,
        url: pull.url.clone(),
        state,
        waits_for,
        head: head.to_owned(),
    }
}

fn pull_request_closed(pull: &GitHubPull) -> EffectError {
    let message = format!(
        "pull request {} was closed without merging it; move the task back to open another, or send it back to work",
        pull.number
    );
    let details = json!({ "pull_request": pull.number, "url": pull.url });
    EffectError::NeedsPerson { trouble: AnnotationType::PullRequestClosed, message, details }
}
