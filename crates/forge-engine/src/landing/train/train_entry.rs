//! One landing in its merge train: follows the planner's instructions until it lands or leaves (M-11, M-12).

use crate::command::clock::Clock;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::gate::check_ledger::CheckLedger;
use crate::gate::receipts::{ReceiptRow, Receipts};
use crate::landing::land::{LandingContext, LandingIntent, landing_cancelled, landing_ended};
use crate::landing::move_target::TargetMover;
use crate::landing::outside_landing::OutsideLandingFinder;
use crate::landing::publish::LandingPublisher;
use crate::landing::target_checkouts::{find_checkout_obstacle, wait_for_checkout};
use crate::landing::train::culprit::CulpritSearch;
use crate::landing::train::planner_loop::PlannerLoop;
use crate::landing::train::trial::TrialRunner;
use crate::landing::train::{
    LandingCandidate, MergeTrains, TrainInstruction, TrainTicket, TrialKey, TrialMerge,
};
use forge_domain::train::TrainCandidate;
use forge_domain::{CheckResult, ConflictHunk, LandResult, ReceiptKey};
use forge_git::{ObjectId, RepoLocks};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Result of an attempt to move the target.
enum TargetMoveOutcome {
    Landed,
    /// Another process moved the target first.
    LostRace,
    /// The landing ends with this outcome.
    Ended(Box<EffectOutcome>),
}

/// Takes one landing through its merge train.
#[derive(Debug, Clone)]
pub(crate) struct TrainEntryRunner {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) check_ledger: CheckLedger,
    pub(crate) culprits: CulpritSearch,
    pub(crate) outside_landing_finder: OutsideLandingFinder,
    pub(crate) planner: PlannerLoop,
    pub(crate) publisher: LandingPublisher,
    pub(crate) receipts: Receipts,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) target_mover: TargetMover,
    pub(crate) trains: MergeTrains,
    pub(crate) trials: TrialRunner,
}

impl TrainEntryRunner {
    pub(crate) async fn run_in_train(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        candidate: LandingCandidate,
        stop: &CancellationToken,
    ) -> Result<EffectOutcome, EffectError> {
        let entry = TrainCandidate {
            task: effect.task.id,
            priority: effect.task.priority,
            joined_at: effect.row.created_at,
            landings_since: 0,
            paths: candidate.paths.clone(),
            position: None,
            is_suspect: false,
        };
        let train = self.trains.train_of(&landing.repo, &landing.target);
        let (mut ticket, idle) = train.enter(entry, effect.task.project_id, candidate.clone());
        if idle {
            self.planner.start_planner(Arc::clone(ticket.train()));
        }
        effect.pass_fault_point("land.entered").await?;
        let mut failed: Vec<CheckResult> = Vec::new();
        let target = landing.target.to_string();
        loop {
            if stop.is_cancelled() {
                return Ok(landing_cancelled(landing.visit));
            }
            let instruction = ticket.instruction();
            match instruction.clone() {
                TrainInstruction::Wait => {}
                TrainInstruction::Test { commit, trial, again } => {
                    let results = self.test_until_replanned(
                        effect,
                        landing,
                        &candidate,
                        &commit,
                        &mut ticket,
                        stop,
                    );
                    let Some(results) = results.await? else { continue };
                    let passed = results.iter().all(CheckResult::is_accepted);
                    let before = failed.iter().filter(|result| again && !result.is_passed());
                    let before = before.map(|result| result.command.clone()).collect();
                    self.check_ledger.record_check_runs(candidate.repo, &results, &before).await?;
                    if passed {
                        self.store_receipt(&candidate, &commit, &trial, results).await?;
                    } else {
                        failed = results;
                    }
                    effect.pass_fault_point("land.tried").await?;
                    ticket.record_test(&trial, passed);
                }
                TrainInstruction::Land { base, commit, tree } => {
                    match self
                        .move_target(effect, landing, &candidate, &base, &commit, &tree)
                        .await?
                    {
                        TargetMoveOutcome::Landed => {
                            ticket.report_landed();
                            let commit = commit.to_string();
                            return Ok(landing_ended(
                                landing.visit,
                                LandResult::Merged { commit, target },
                            ));
                        }
                        TargetMoveOutcome::LostRace => ticket.report_lost_race(),
                        TargetMoveOutcome::Ended(outcome) => return Ok(*outcome),
                    }
                }
                TrainInstruction::Evict { base, commit } => {
                    // Free the train entry before the search for the culprit, so that others continue.
                    ticket.leave_evicted();
                    let culprits = self
                        .culprits
                        .find_failing_landing(effect, landing, &candidate, &base, stop)
                        .await?;
                    let (commit, results) = (commit.to_string(), failed);
                    let result = LandResult::ChecksFailed { target, commit, results, culprits };
                    return Ok(landing_ended(landing.visit, result));
                }
                TrainInstruction::Conflict {
                    trial_merge: TrialMerge::Conflict { base, files, marked },
                } => {
                    drop(ticket);
                    let culprits = self
                        .culprits
                        .find_landings_in_files(landing, &candidate, &base, &files)
                        .await?;
                    let hunks = landing.repo.load_hunks(&marked, &files).await?.into_iter();
                    let hunks = hunks.map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text });
                    let hunks = hunks.collect();
                    let result = LandResult::Conflict { files, target, hunks, culprits };
                    return Ok(landing_ended(landing.visit, result));
                }
                TrainInstruction::Conflict { trial_merge: TrialMerge::GitFailed { error } } => {
                    return Err(EffectError::transient(error));
                }
                TrainInstruction::Conflict { .. } | TrainInstruction::AlreadyMerged => {
                    drop(ticket);
                    let LandingContext { repo, target: branch, .. } = landing;
                    self.outside_landing_finder
                        .check_content_outside(effect, repo, branch, &candidate)
                        .await?;
                    return Ok(landing_ended(landing.visit, LandResult::NothingToMerge { target }));
                }
                TrainInstruction::Failed(error) => return Err(EffectError::transient(error)),
            }
            // An instruction that arrived during the work was already read and still counts.
            if ticket.instruction() == instruction {
                tokio::select! {
                    () = ticket.changed() => {}
                    () = stop.cancelled() => {}
                }
            }
        }
    }

    /// Runs the checks until they end or the planner gives another instruction.
    async fn test_until_replanned(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        commit: &ObjectId,
        ticket: &mut TrainTicket,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, EffectError> {
        let Some(checks) = &candidate.checks else { return Ok(Some(Vec::new())) };
        let wanted = stop.child_token();
        let mut trying = Box::pin(self.trials.run_trial(effect, landing, commit, checks, &wanted));
        loop {
            tokio::select! {
                done = &mut trying => return done,
                () = ticket.changed(), if !wanted.is_cancelled() => wanted.cancel(),
            }
        }
    }

    async fn store_receipt(
        &self,
        candidate: &LandingCandidate,
        commit: &ObjectId,
        trial: &TrialKey,
        results: Vec<CheckResult>,
    ) -> Result<(), EffectError> {
        let (tree, Some(checks)) = trial else { return Ok(()) };
        let receipt = ReceiptRow {
            repo_id: candidate.repo,
            key: ReceiptKey { tree: tree.to_string(), checks: checks.clone() },
            commit: commit.to_string(),
            review_id: None,
            results,
            at: self.clock.now(),
        };
        Ok(self.receipts.record_receipt(receipt).await?)
    }

    /// Moves the target to the tested commit, if branch, receipt and target are unchanged.
    async fn move_target(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        base: &ObjectId,
        commit: &ObjectId,
        tree: &ObjectId,
    ) -> Result<TargetMoveOutcome, EffectError> {
        let LandingContext { repo, target, branch, visit, .. } = landing;
        let head = repo.tip(branch).await?;
        if head.as_ref() != Some(&candidate.head) {
            let head = head.map(|head| head.to_string()).unwrap_or_default();
            let result = LandResult::Unreviewed { reviewed: candidate.head.to_string(), head };
            return Ok(TargetMoveOutcome::Ended(Box::new(landing_ended(*visit, result))));
        }
        if let Some(checks) = &candidate.checks
            && self
                .receipts
                .receipt_for(candidate.repo, tree.as_str(), &checks.hash)
                .await?
                .is_none()
        {
            // Only a receipt permits a landing (M-5).
            return Err(EffectError::transient("the tested tree has no receipt".to_owned()));
        }
        if self.publisher.is_published(effect).await? {
            // A pushed landing cannot wait for a person afterwards, so check the checkouts before pushing.
            let locked = self.repo_locks.acquire(repo).await?;
            if repo.tip(target).await?.as_ref() != Some(base) {
                return Ok(TargetMoveOutcome::LostRace);
            }
            if let Some(dirty) = find_checkout_obstacle(&locked, target, base, commit).await? {
                drop(locked);
                return Err(wait_for_checkout(effect, dirty));
            }
        }
        let intent = LandingIntent {
            target: target.to_string(),
            old: base.to_string(),
            new: commit.to_string(),
        };
        if !effect.journal_landing(&intent, *visit).await? {
            return Ok(TargetMoveOutcome::Ended(Box::new(landing_cancelled(*visit))));
        }
        effect.pass_fault_point("land.journalled").await?;
        let moved =
            self.target_mover.move_target_branch(effect, repo, target, base, commit).await?;
        Ok(if moved { TargetMoveOutcome::Landed } else { TargetMoveOutcome::LostRace })
    }
}
