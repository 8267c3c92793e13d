//! Landing by a pull request (M-16): the branch is pushed, the pull request opened, its checks and its state watched, and
//! what GitHub merges is what has landed. Each look is one try of the step; between looks it waits like any other.

use super::land::{Landing, called_off, told};
use super::perform::Step;
use super::pull_host::PullHost;
use super::{Failure, Outcome};
use crate::commit::Closing;
use crate::train::{Cargo, MergeSettings};
use forge_domain::task::{
    AnnotationType, MergeStrategy, PullRequest, PullRequestState, PullRequestWait,
};
use forge_domain::{LandResult, RemoteCheck, Report};
use forge_git::{BranchName, ObjectId, Repo};
use forge_github::{Checks, MergeAnswer, MergeMethod, Mergeable, Pull, PullState};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A look costs GitHub a handful of questions, of which it answers some thousands an hour.
const LOOK_AGAIN_SECONDS: u64 = 120;
/// Checks begin a little after a push. A branch that has none by then has none.
const CHECKS_BEGIN_MILLIS: i64 = 30_000;

/// The pull request that this step watches. Written down: whoever takes the step up goes on with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Watch {
    pub(super) pull_request: u64,
    /// What was pushed for it.
    pub(super) head: String,
    /// When, in milliseconds.
    pub(super) since: i64,
    /// Whether GitHub may have been asked to merge it.
    pub(super) merging: bool,
}

impl Step<'_> {
    pub(super) async fn land_by_pull(
        &self,
        landing: &Landing,
        head: ObjectId,
    ) -> Result<Outcome, Failure> {
        let host = self.pull_host().await?;
        let watched = self.journalled::<Watch>().filter(|watch| watch.head == head.as_str());
        let (watch, pull, cargo) = match watched {
            Some(watch) => {
                let asked = host.github.pull(&host.repository, watch.pull_request, host.token());
                let pull = asked.await.map_err(|error| self.unheard(&host, error))?;
                let tip = self.target_tip(&landing.repo, &landing.target).await?;
                (watch, pull, self.cargo(&landing.repo, &tip, head).await?)
            }
            None => {
                let turn = self.engine.0.pushes.take(host.there.row.id).await;
                if let Some(pull) = self.merged_before(landing, &host, &head).await? {
                    drop(turn);
                    return self.settle_merged(landing, &host, &pull, &head).await;
                }
                self.catch_up(&landing.repo, &host.there, &landing.target).await?;
                let tip = self.target_tip(&landing.repo, &landing.target).await?;
                let cargo = self.cargo(&landing.repo, &tip, head.clone()).await?;
                if let Some(result) = self.unfit(landing, &cargo, &tip).await? {
                    return Ok(told(landing.visit, result));
                }
                self.push_branch(landing, &host, &head).await?;
                let (watch, pull) = self.open_pull(landing, &host, &cargo).await?;
                drop(turn);
                (watch, pull, cargo)
            }
        };
        let head = &cargo.head;
        match pull.state {
            PullState::Merged(_) => self.settle_merged(landing, &host, &pull, head).await,
            PullState::Closed => {
                self.note_pull(&pull, &watch.head, PullRequestState::Closed, None).await?;
                Err(closed(&pull))
            }
            PullState::Open(mergeable) => {
                Box::pin(self.look_at(landing, &host, &watch, &pull, mergeable, &cargo)).await
            }
        }
    }

    async fn look_at(
        &self,
        landing: &Landing,
        host: &PullHost,
        watch: &Watch,
        pull: &Pull,
        mergeable: Mergeable,
        cargo: &Cargo,
    ) -> Result<Outcome, Failure> {
        if pull.head != watch.head {
            let Landing { repo, branch, .. } = landing;
            let asked = repo.remote_tip(&host.there.remote, branch).await;
            let theirs = asked.map_err(|error| self.unanswered(&host.there.remote, error))?;
            return Err(match theirs {
                Some(theirs) if theirs != cargo.head => {
                    self.note_open(pull, watch, None).await?;
                    self.others_pushed(landing, &cargo.head, &theirs)
                }
                // The branch is where it should be; its page follows.
                _ => self.wait_for(pull, watch, PullRequestWait::Mergeability),
            });
        }
        if mergeable == Mergeable::Dirty {
            self.note_open(pull, watch, None).await?;
            return self.find_conflict(landing, host, cargo, pull, watch).await;
        }
        let asked = host.github.checks_of(&host.repository, &watch.head, host.token()).await;
        match asked.map_err(|error| self.unheard(host, error))? {
            Checks::Failed(failed) => {
                self.note_open(pull, watch, None).await?;
                let failed = failed.into_iter();
                let failed = failed.map(|one| RemoteCheck { name: one.name, url: one.url });
                let result = LandResult::RemoteChecksFailed {
                    target: landing.target.to_string(),
                    commit: watch.head.clone(),
                    pull_request: pull.number,
                    failed: failed.collect(),
                };
                return Ok(told(landing.visit, result));
            }
            Checks::Pending => return Err(self.wait_for(pull, watch, PullRequestWait::Checks)),
            Checks::None if self.engine.now().millis() - watch.since < CHECKS_BEGIN_MILLIS => {
                return Err(self.wait_for(pull, watch, PullRequestWait::Checks));
            }
            Checks::None | Checks::Passed => {}
        }
        let waits = match mergeable {
            _ if MergeSettings::of(&self.project.settings)?.paused => PullRequestWait::Pause,
            Mergeable::Clean | Mergeable::Unstable => {
                return self.merge_pull(landing, host, watch, pull, cargo).await;
            }
            Mergeable::Behind => {
                self.note_open(pull, watch, Some(PullRequestWait::Rules)).await?;
                let said = format!(
                    "{} wants branches to be up to date before they are merged, and {} is not",
                    landing.target, landing.branch
                );
                let next = "bring the target into the branch and hand the task in again, or relax the rule";
                return Err(self.said_no(host, &said, next));
            }
            Mergeable::Blocked => PullRequestWait::Rules,
            Mergeable::Draft => PullRequestWait::Draft,
            Mergeable::Unknown | Mergeable::Dirty => PullRequestWait::Mergeability,
        };
        Err(self.wait_for(pull, watch, waits))
    }

    async fn merge_pull(
        &self,
        landing: &Landing,
        host: &PullHost,
        watch: &Watch,
        pull: &Pull,
        cargo: &Cargo,
    ) -> Result<Outcome, Failure> {
        let merging = Watch { merging: true, ..watch.clone() };
        let visit = landing.visit;
        if !self.engine.journal_landing(self.claimed, &merging, self.task.id, visit).await? {
            return Ok(called_off(visit));
        }
        self.reach("pull.merging").await?;
        let method = match cargo.strategy {
            MergeStrategy::Squash => MergeMethod::Squash,
            MergeStrategy::Merge => MergeMethod::Merge,
            MergeStrategy::Rebase => MergeMethod::Rebase,
        };
        let mut text = self.commit_text(cargo);
        text.body.push_str(&format!("Forge-Pull-Request: {}\n", pull.url));
        let PullHost { github, repository, .. } = host;
        let merged =
            github.merge_pull(repository, pull.number, &watch.head, (method, &text), host.token());
        let merged = merged.await;
        self.reach("pull.merged").await?;
        match merged.map_err(|error| self.unheard(host, error))? {
            MergeAnswer::Merged(commit) => {
                let pull = Pull { state: PullState::Merged(commit), ..pull.clone() };
                self.settle_merged(landing, host, &pull, &cargo.head).await
            }
            // The next look sees whose commit that is.
            MergeAnswer::HeadMoved => {
                Err(self.wait_for(pull, watch, PullRequestWait::Mergeability))
            }
            MergeAnswer::Refused(said) if said.contains("not allowed on this repository") => {
                let next = "allow that way of merging there or change merge_config.strategy, then move the task back";
                Err(self.said_no(host, &said, next))
            }
            MergeAnswer::Refused(said) => {
                tracing::info!(task = %self.task.key(), said, "a pull request was not merged");
                Err(self.wait_for(pull, watch, PullRequestWait::Rules))
            }
        }
    }

    pub(super) async fn target_tip(
        &self,
        repo: &Repo,
        target: &BranchName,
    ) -> Result<ObjectId, Failure> {
        let gone = || Failure::workspace(format!("the target branch {target} is gone"));
        repo.tip(target).await?.ok_or_else(gone)
    }

    /// Says what the pull request looks like, if nobody knows yet.
    pub(super) async fn note_pull(
        &self,
        pull: &Pull,
        head: &str,
        state: PullRequestState,
        waits_for: Option<PullRequestWait>,
    ) -> Result<(), Failure> {
        let seen = seen(pull, head, state, waits_for);
        if self.task.pull_request.as_ref() != Some(&seen) {
            let report = Report::PullRequestSeen { pull_request: seen };
            self.engine.report(self.row, self.claimed, report, Closing::StaysOpen).await?;
            self.reach("pull.noted").await?;
        }
        Ok(())
    }

    pub(super) async fn note_open(
        &self,
        pull: &Pull,
        watch: &Watch,
        waits_for: Option<PullRequestWait>,
    ) -> Result<(), Failure> {
        self.note_pull(pull, &watch.head, PullRequestState::Open, waits_for).await
    }

    pub(super) fn wait_for(&self, pull: &Pull, watch: &Watch, what: PullRequestWait) -> Failure {
        let seen = seen(pull, &watch.head, PullRequestState::Open, Some(what));
        Failure::Waits {
            report: Box::new(Report::PullRequestSeen { pull_request: seen }),
            error: format!("pull request {} is open", pull.number),
            patience_seconds: LOOK_AGAIN_SECONDS,
        }
    }
}

fn seen(
    pull: &Pull,
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

fn closed(pull: &Pull) -> Failure {
    let message = format!(
        "pull request {} was closed without merging it; move the task back to open another, or send it back to work",
        pull.number
    );
    let details = json!({ "pull_request": pull.number, "url": pull.url });
    Failure::Final { trouble: AnnotationType::PullRequestClosed, message, details }
}
