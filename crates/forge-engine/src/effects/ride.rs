//! A landing in its target's line: does what it is told there, until it is in or out (M-11, M-12).

use super::land::{Intent, Landing, called_off, told};
use super::perform::Step;
use super::{Failure, Outcome};
use crate::receipts::Receipt;
use crate::train::{Cargo, Placement, Seat, Tested, Told};
use forge_domain::train::Car;
use forge_domain::{CheckResult, ConflictHunk, LandResult, ReceiptKey};
use forge_git::ObjectId;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// How an attempt to move the target ended.
enum Moved {
    Landed,
    /// Somebody else moved it first.
    Raced,
    /// There is something to say.
    Over(Box<Outcome>),
}

impl Step<'_> {
    pub(super) async fn ride(
        &self,
        landing: &Landing,
        cargo: Cargo,
        stop: &CancellationToken,
    ) -> Result<Outcome, Failure> {
        let car = Car {
            task: self.task.id,
            priority: self.task.priority,
            joined: self.row.created_at,
            overtaken: 0,
            paths: cargo.paths.clone(),
            seat: None,
            suspect: false,
        };
        let line = self.engine.0.lines.of(&landing.repo, &landing.target);
        let (mut seat, idle) = line.board(car, self.task.project_id, cargo.clone());
        if idle {
            self.engine.conduct(Arc::clone(seat.line()));
        }
        self.reach("land.boarded").await?;
        let mut failed: Vec<CheckResult> = Vec::new();
        let target = landing.target.to_string();
        loop {
            if stop.is_cancelled() {
                return Ok(called_off(landing.visit));
            }
            let told_now = seat.told();
            match told_now.clone() {
                Told::Wait => {}
                Told::Try { commit, tested, again } => {
                    let tried = self.try_while_told(landing, &cargo, &commit, &mut seat, stop);
                    let Some(results) = tried.await? else { continue };
                    let passed = results.iter().all(CheckResult::has_passed);
                    let before = failed.iter().filter(|result| again && !result.has_held());
                    let before = before.map(|result| result.command.clone()).collect();
                    self.engine.note_checks(cargo.repo, &results, &before).await?;
                    if passed {
                        self.keep_receipt(&cargo, &commit, &tested, results).await?;
                    } else {
                        failed = results;
                    }
                    self.reach("land.tried").await?;
                    seat.tried(&tested, passed);
                }
                Told::Land { base, commit, tree } => {
                    match self.move_target(landing, &cargo, &base, &commit, &tree).await? {
                        Moved::Landed => {
                            seat.landed();
                            let commit = commit.to_string();
                            return Ok(told(landing.visit, LandResult::Merged { commit, target }));
                        }
                        Moved::Raced => seat.lost_a_race(),
                        Moved::Over(outcome) => return Ok(*outcome),
                    }
                }
                Told::Leave { base, commit } => {
                    // Others go on while it is found out with whom it does not get along.
                    seat.evicted();
                    let culprits = self.red_with(landing, &cargo, &base, stop).await?;
                    let (commit, results) = (commit.to_string(), failed);
                    let result = LandResult::ChecksFailed { target, commit, results, culprits };
                    return Ok(told(landing.visit, result));
                }
                Told::Conflict { placement: Placement::Clash { base, files, marked } } => {
                    drop(seat);
                    let culprits = self.landed_in(landing, &cargo, &base, &files).await?;
                    let hunks = landing.repo.load_hunks(&marked, &files).await?.into_iter();
                    let hunks = hunks.map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text });
                    let hunks = hunks.collect();
                    let result = LandResult::Conflict { files, target, hunks, culprits };
                    return Ok(told(landing.visit, result));
                }
                Told::Conflict { placement: Placement::Unclear { error } } => {
                    return Err(Failure::Passing(error));
                }
                Told::Conflict { .. } | Told::Nothing => {
                    return Ok(told(landing.visit, LandResult::NothingToMerge { target }));
                }
                Told::Failed(error) => return Err(Failure::Passing(error)),
            }
            // What was said while this was being done has been seen already, and counts all the same.
            if seat.told() == told_now {
                tokio::select! {
                    () = seat.changed() => {}
                    () = stop.cancelled() => {}
                }
            }
        }
    }

    /// The results of the checks, unless something else is to be done before they are over.
    async fn try_while_told(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        commit: &ObjectId,
        seat: &mut Seat,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, Failure> {
        let Some(checks) = &cargo.checks else { return Ok(Some(Vec::new())) };
        let wanted = stop.child_token();
        let mut trying = Box::pin(self.try_out(landing, commit, checks, &wanted));
        loop {
            tokio::select! {
                done = &mut trying => return done,
                () = seat.changed(), if !wanted.is_cancelled() => wanted.cancel(),
            }
        }
    }

    async fn keep_receipt(
        &self,
        cargo: &Cargo,
        commit: &ObjectId,
        tested: &Tested,
        results: Vec<CheckResult>,
    ) -> Result<(), Failure> {
        let (tree, Some(checks)) = tested else { return Ok(()) };
        let receipt = Receipt {
            repo_id: cargo.repo,
            key: ReceiptKey { tree: tree.to_string(), checks: checks.clone() },
            commit: commit.to_string(),
            review_id: None,
            results,
            at: self.engine.now(),
        };
        Ok(self.engine.record_receipt(receipt).await?)
    }

    /// Moves the target to what was tested, if everything still is as it was then.
    async fn move_target(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        base: &ObjectId,
        commit: &ObjectId,
        tree: &ObjectId,
    ) -> Result<Moved, Failure> {
        let Landing { repo, target, branch, visit, .. } = landing;
        let head = repo.tip(branch).await?;
        if head.as_ref() != Some(&cargo.head) {
            let head = head.map(|head| head.to_string()).unwrap_or_default();
            let result = LandResult::Unreviewed { reviewed: cargo.head.to_string(), head };
            return Ok(Moved::Over(Box::new(told(*visit, result))));
        }
        if let Some(checks) = &cargo.checks
            && self.engine.receipt_for(cargo.repo, tree.as_str(), &checks.hash).await?.is_none()
        {
            // M-5: nothing else gives the right to land.
            return Err(Failure::Passing("what was tested has no receipt".to_owned()));
        }
        if self.is_published().await? {
            // What was pushed cannot wait for the person any more; what is not waits when its turn has come.
            let locked = self.engine.0.repo_locks.acquire(repo).await?;
            if repo.tip(target).await?.as_ref() != Some(base) {
                return Ok(Moved::Raced);
            }
            if let Some(dirty) = self.obstacle(repo, target, base, commit).await? {
                drop(locked);
                return Err(self.stands_in_the_way(dirty));
            }
        }
        let intent =
            Intent { target: target.to_string(), old: base.to_string(), new: commit.to_string() };
        if !self.engine.journal_landing(self.claimed, &intent, self.task.id, *visit).await? {
            return Ok(Moved::Over(Box::new(called_off(*visit))));
        }
        self.reach("land.journalled").await?;
        let moved = self.advance(repo, target, base, commit).await?;
        Ok(if moved { Moved::Landed } else { Moved::Raced })
    }
}
