//! Landing (M-6 to M-9): the effect itself, the compare-and-swap of the target ref, and the user's checkout, which is
//! fast-forwarded only where git reports that no local change is touched. The merge train decides what lands when.

use crate::effects::process_owner::ProcessOwner;
use crate::effects::process_registry::ProcessRegistry;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::gate::checks::Gate;
use crate::gate::git_settings_check::check_git_settings;
use crate::landing::outside_landing::{OutsideLandingFinder, check_landed_outside};
use crate::landing::publish::LandingPublisher;
use crate::landing::pull_request::pull_watch::PullRequests;
use crate::landing::reverted_landings::reverted_landings;
use crate::landing::target_checkouts::finish_checkouts;
use crate::landing::train::candidate_builder::CandidateBuilder;
use crate::landing::train::train_entry::TrainEntryRunner;
use crate::workspace::locate::{branch_of, directory_of};
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_domain::project::LandingMode;
use forge_domain::task::AnnotationType;
use forge_domain::workflow::TaskStanding;
use forge_domain::{EffectReport, LandResult};
use forge_git::{BranchName, ObjectId, Repo, RepoLocks, WorkspaceRoot};
use forge_store::{Db, tables};
use serde::{Deserialize, Serialize};
use serde_json::json;

const LOOK_AGAIN_SECONDS: u64 = 5;

/// The planned move of the target ref; a later attempt compares it with the actual ref.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LandingIntent {
    pub(crate) target: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The repository, the branches and the visit of one landing: collected once by the effect, then passed to all its parts.
#[derive(Debug)]
pub(crate) struct LandingContext {
    pub(crate) repo: Repo,
    pub(crate) target: BranchName,
    /// The task's branch.
    pub(crate) branch: BranchName,
    /// The visit of the merge state to which the landing belongs.
    pub(crate) visit: u64,
    /// The owner of all processes of this landing.
    pub(crate) process_owner: ProcessOwner,
}

pub(crate) fn landing_ended(visit: u64, result: LandResult) -> EffectOutcome {
    EffectOutcome::Report(EffectReport::LandingEnded { visit, result })
}

/// The outcome of a landing whose task has moved on; the domain ignores it.
pub(crate) fn landing_cancelled(visit: u64) -> EffectOutcome {
    landing_ended(visit, LandResult::NothingToMerge { target: String::new() })
}

/// Lands the branches of tasks.
#[derive(Debug, Clone)]
pub(crate) struct Landing {
    pub(crate) db: Db,
    pub(crate) candidates: CandidateBuilder,
    pub(crate) gate: Gate,
    pub(crate) outside_landing_finder: OutsideLandingFinder,
    pub(crate) processes: ProcessRegistry,
    pub(crate) publisher: LandingPublisher,
    pub(crate) pull_requests: PullRequests,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
    pub(crate) train_entries: TrainEntryRunner,
    pub(crate) workspaces: Workspaces,
}

impl Landing {
    pub(crate) async fn land(
        &self,
        effect: &EffectContext,
        visit: u64,
    ) -> Result<EffectOutcome, EffectError> {
        let mark = ProcessOwner::of_landing(effect.task.landing_mark(visit));
        let guard = self.processes.register(mark.uuid());
        effect.end_leftovers(mark.uuid()).await?;
        let repo = self.repos.open_of_effect(effect).await?;
        if let Some(intent) = effect.journalled::<LandingIntent>()
            && let Some(result) = self.resume_journalled_landing(effect, &repo, intent).await?
        {
            return Ok(landing_ended(visit, result));
        }
        if effect.task.visit != visit {
            let after_all = Box::pin(self.pull_requests.find_late_merge(effect, &repo)).await?;
            return Ok(after_all
                .map_or_else(|| landing_cancelled(visit), |result| landing_ended(visit, result)));
        }
        check_git_settings(effect, &repo).await?;
        self.check_dependencies(effect).await?;
        check_landed_outside(effect, &repo).await?;
        self.gate.require_receipt(effect).await?;
        let branch = branch_of(effect.workspace()?)?;
        if effect.task.reviewed.is_none() {
            self.collect_leftovers(effect, &repo).await?;
        }
        let (target, tip) = effect.load_target(&repo).await?;
        let Some(head) = repo.tip(&branch).await? else {
            let message = format!("the task's branch {branch} is gone; nothing was landed");
            let directory = self.root.directory(&directory_of(effect.workspace()?)?);
            return Err(match directory.symlink_metadata() {
                Ok(_) => EffectError::workspace(message),
                Err(_) => EffectError::for_person(
                    AnnotationType::WorkspaceResetRequired,
                    format!(
                        "{message}, and so is its worktree; reset the workspace to start afresh"
                    ),
                ),
            });
        };
        if let Some(reviewed) = effect.task.reviewed.clone().filter(|seen| *seen != head.as_str()) {
            // P-3: a commit that was not reviewed does not land.
            let result = LandResult::Unreviewed { reviewed, head: head.to_string() };
            return Ok(landing_ended(visit, result));
        }
        let files = reverted_landings(&self.db, &effect.task, &repo, &tip, &head).await?;
        if !files.is_empty() {
            let result = LandResult::RevertsLanded { target: target.to_string(), files };
            return Ok(landing_ended(visit, result));
        }
        let landing = LandingContext { repo, target, branch, visit, process_owner: mark };
        if effect.project.settings.landing()?.mode == LandingMode::PullRequest {
            return Box::pin(self.pull_requests.land_by_pull(effect, &landing, head)).await;
        }
        self.outside_landing_finder
            .raise_outside_landings(effect, &landing.repo, &landing.target)
            .await?;
        let candidate = self.candidates.build_candidate(effect, &landing.repo, &tip, head).await?;
        self.train_entries.run_in_train(effect, &landing, candidate, &guard.stop).await
    }

    /// Commits what a user left uncommitted in their worktree, because it is part of the submission.
    async fn collect_leftovers(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<(), EffectError> {
        let workspace = effect.workspace()?;
        let hold = self.workspaces.lock_workspace(effect, &directory_of(workspace)?).await?;
        if let Some(worktree) = hold.worktree(repo, &branch_of(workspace)?).await?
            && worktree.path().exists()
        {
            worktree.verify().await?;
            let signature = effect.load_signature().await?;
            let message = effect.commit_message(&effect.task.title);
            worktree.commit_all(&message, &signature).await?;
        }
        Ok(())
    }

    /// Checks whether an earlier attempt moved the target as journalled.
    async fn resume_journalled_landing(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        intent: LandingIntent,
    ) -> Result<Option<LandResult>, EffectError> {
        let broken = |error: String| EffectError::workspace(error);
        let target = BranchName::new(intent.target).map_err(|error| broken(error.to_string()))?;
        let old = ObjectId::new(intent.old).map_err(|error| broken(error.to_string()))?;
        let new = ObjectId::new(intent.new).map_err(|error| broken(error.to_string()))?;
        let Some(tip) = repo.tip(&target).await? else { return Ok(None) };
        let landed = repo.is_ancestor(&new, &tip).await?;
        if !landed && !self.publisher.remote_contains(effect, repo, &target, &new).await? {
            return Ok(None);
        }
        let locked = self.repo_locks.acquire(repo).await?;
        finish_checkouts(effect, &locked, &target, Some((&old, &new))).await?;
        Ok(Some(LandResult::Merged { commit: new.to_string(), target: target.to_string() }))
    }

    /// Waits for open dependencies; parks the task if one was cancelled or failed.
    pub(crate) async fn check_dependencies(
        &self,
        effect: &EffectContext,
    ) -> Result<(), EffectError> {
        let task = effect.reload().await?;
        if task.dependencies.is_empty() {
            return Ok(());
        }
        let ids: Vec<_> = task.dependencies.iter().copied().collect();
        let dependencies = tables::tasks::load_many(&self.db, &ids).await?;
        let keys = |wanted: fn(TaskStanding) -> bool| -> Vec<String> {
            let found = dependencies.iter().filter(|one| wanted(one.standing));
            found.map(|one| one.key().to_string()).collect()
        };
        let ended = keys(|standing| standing == TaskStanding::Ended);
        if !ended.is_empty() {
            let message = format!(
                "{} was cancelled or failed, so this does not land; remove the dependency and move the task back, or cancel it",
                ended.join(", ")
            );
            return Err(EffectError::NeedsPerson {
                trouble: AnnotationType::DependencyFailed,
                message,
                details: json!({ "ended": ended }),
            });
        }
        let open = keys(|standing| standing != TaskStanding::Succeeded);
        if open.is_empty() {
            return Ok(());
        }
        let error = format!("waits until {} has landed", open.join(", "));
        let result = LandResult::DependencyOpen { tasks: open };
        Err(EffectError::Waiting {
            report: Box::new(EffectReport::LandingEnded { visit: effect.row.visit, result }),
            error,
            patience_seconds: LOOK_AGAIN_SECONDS,
        })
    }
}
