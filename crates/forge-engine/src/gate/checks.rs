//! The checks of a review (M-2): run in order, in the workspace, at a recorded commit.

use crate::command::lookup::RecordReader;
use crate::effects::process_registry::ProcessRegistry;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::execution::execution_env::ExecutionEnvs;
use crate::gate::check_runner::{CheckRunner, all_passed};
use crate::gate::git_settings_check::check_git_settings;
use crate::gate::receipts::{ReceiptRow, Receipts, checks_of};
use crate::landing::outside_landing::check_landed_outside;
use crate::workspace::locate::directory_of;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_domain::task::AnnotationType;
use forge_domain::{CheckResult, EffectReport, ReceiptKey, ReceiptOrigin, ReviewId};
use forge_git::{LockedWorktree, ObjectId, Repo};
use forge_store::Db;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

/// Results of a review's checks; empty if the checks never started.
#[derive(Debug, Default)]
pub(crate) struct ReviewChecksOutcome {
    pub(super) results: Vec<CheckResult>,
    pub(super) setup_failed: bool,
    pub(super) receipt: Option<ReceiptKey>,
    pub(super) taken_from: Option<ReceiptOrigin>,
}

/// Journalled before the first check runs. From then on the worktree may contain files written by checks.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ChecksStarted {
    commit: ObjectId,
}

impl ReviewChecksOutcome {
    pub(crate) fn into_report(self, review: ReviewId, commit: String) -> EffectReport {
        let Self { results, setup_failed, receipt, taken_from } = self;
        EffectReport::ChecksEnded { review, commit, results, setup_failed, receipt, taken_from }
    }

    fn passed(&self) -> bool {
        !self.setup_failed && all_passed(&self.results)
    }
}

impl From<ReceiptRow> for ReviewChecksOutcome {
    fn from(receipt: ReceiptRow) -> Self {
        let taken_from = Some(ReceiptOrigin { review: receipt.review_id, at: receipt.at });
        let (results, receipt) = (receipt.results, Some(receipt.key));
        Self { results, setup_failed: false, receipt, taken_from }
    }
}

/// Runs the checks of reviews.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    pub(crate) db: Db,
    pub(crate) check_runner: CheckRunner,
    pub(crate) envs: ExecutionEnvs,
    pub(crate) processes: ProcessRegistry,
    pub(crate) receipts: Receipts,
    pub(crate) records: RecordReader,
    pub(crate) repos: TaskRepos,
    pub(crate) workspaces: Workspaces,
}

impl Gate {
    pub(crate) async fn run_checks(
        &self,
        effect: &EffectContext,
        review: ReviewId,
    ) -> Result<EffectOutcome, EffectError> {
        let guard = self.processes.register(review.uuid());
        let begun = effect.journalled::<ChecksStarted>();
        if effect.reload().await?.review != Some(review) {
            if let Some(ChecksStarted { commit }) = begun {
                effect.end_leftovers(review.uuid()).await?;
                self.workspaces.restore_if_possible(effect, &commit).await?;
            }
            return Ok(EffectOutcome::Report(
                ReviewChecksOutcome::default().into_report(review, String::new()),
            ));
        }
        effect.end_leftovers(review.uuid()).await?;
        let repo = self.repos.open_of_effect(effect).await?;
        let hold =
            self.workspaces.lock_workspace(effect, &directory_of(effect.workspace()?)?).await?;
        if let Some(ChecksStarted { commit }) = &begun {
            self.workspaces.restore_branch(effect, &repo, &hold, commit).await?;
        }
        let worktree = self.workspaces.usable_worktree_in(effect, &repo, &hold).await?;
        let commit = match begun {
            Some(ChecksStarted { commit }) => {
                // Discard files that the checks of a dead server left; they are not the agent's work.
                self.workspaces.restore_workspace(effect, &worktree, &commit).await?;
                commit
            }
            None => commit_leftovers(effect, &worktree).await?,
        };
        check_git_settings(effect, &repo).await?;
        effect.pass_fault_point("checks.collected").await?;
        check_landed_outside(effect, &repo).await?;
        if let Some(report) = self.report_no_changes(effect, review, &repo, &commit).await? {
            return Ok(EffectOutcome::Report(report));
        }
        let key = receipt_key(effect, &repo, &commit).await?;
        let checked = match self.find_receipt(effect, &key).await? {
            Some(receipt) => ReviewChecksOutcome::from(receipt),
            None => {
                self.run_review_checks(effect, review, &worktree, &commit, key, &guard.stop).await?
            }
        };
        effect.pass_fault_point("checks.ran").await?;
        Ok(EffectOutcome::Report(checked.into_report(review, commit.to_string())))
    }

    async fn run_review_checks(
        &self,
        effect: &EffectContext,
        review: ReviewId,
        worktree: &LockedWorktree,
        commit: &ObjectId,
        key: ReceiptKey,
        stop: &CancellationToken,
    ) -> Result<ReviewChecksOutcome, EffectError> {
        if !has_steps(effect) {
            return Ok(ReviewChecksOutcome {
                receipt: Some(key),
                ..ReviewChecksOutcome::default()
            });
        }
        effect.journal_intent(&ChecksStarted { commit: commit.clone() }).await?;
        let _slot = self.check_runner.acquire_check_slot(stop).await;
        let env = self.envs.build_worktree_env(effect, worktree).await?;
        let mut checked =
            self.check_runner.run_setup_and_checks(effect, review.into(), &env, stop).await?;
        checked.receipt = checked.passed().then_some(key);
        match self.workspaces.restore_workspace(effect, worktree, commit).await {
            // The results stay valid; the next effect that uses the workspace reports the damage.
            Err(EffectError::NeedsPerson { message, .. }) => {
                tracing::warn!(task = %effect.task.id, message, "checks left the workspace unusable");
            }
            other => other?,
        }
        Ok(checked)
    }

    /// Returns the receipt of an equal tree. Without steps there is nothing to save, so none is looked up.
    async fn find_receipt(
        &self,
        effect: &EffectContext,
        key: &ReceiptKey,
    ) -> Result<Option<ReceiptRow>, EffectError> {
        match effect.task.repo_id {
            Some(repo) if has_steps(effect) => {
                Ok(self.receipts.receipt_for(repo, &key.tree, &key.checks).await?)
            }
            _ => Ok(None),
        }
    }

    /// Work that passed a gate needs its receipt, unless a person overrode the gate. Work without a gate needs none.
    pub(crate) async fn require_receipt(&self, effect: &EffectContext) -> Result<(), EffectError> {
        let (Some(reviewed), Some(repo)) = (&effect.task.reviewed, effect.task.repo_id) else {
            return Ok(());
        };
        if effect.task.gate.is_overridden() {
            return Ok(());
        }
        let checks = checks_of(&effect.project, &effect.task.review_config)?;
        let tree = effect.task.gate.receipt.as_ref().map(|key| key.tree.as_str());
        if let Some(tree) = tree
            && self.receipts.receipt_for(repo, tree, &checks).await?.is_some()
        {
            return Ok(());
        }
        let message = "there is no receipt for this work under the checks as they are now: they have changed since its \
                       review, or did not pass; hand the task in again";
        Err(EffectError::NeedsPerson {
            trouble: AnnotationType::Unreviewed,
            message: message.to_owned(),
            details: serde_json::json!({ "reviewed": reviewed, "tree": tree, "checks": checks }),
        })
    }
}

fn has_steps(effect: &EffectContext) -> bool {
    let config = &effect.task.review_config;
    !(config.ci_steps.is_empty() && config.setup_steps.is_empty())
}

/// The key under which a receipt of this commit is stored (M-5).
async fn receipt_key(
    effect: &EffectContext,
    repo: &Repo,
    commit: &ObjectId,
) -> Result<ReceiptKey, EffectError> {
    let checks = checks_of(&effect.project, &effect.task.review_config)?;
    Ok(ReceiptKey { tree: repo.tree_of(commit).await?.to_string(), checks })
}

/// Commits uncommitted files, so that the checks see exactly what would land.
async fn commit_leftovers(
    effect: &EffectContext,
    worktree: &LockedWorktree,
) -> Result<ObjectId, EffectError> {
    let signature = effect.load_signature().await?;
    let message = effect.commit_message(&effect.task.title);
    Ok(worktree.commit_all(&message, &signature).await?.head)
}
