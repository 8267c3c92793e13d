//! Tasks sent back by a merge state return to work one after the other (M-9): two tasks that redo the same files at
//! once would conflict again. A task whose target moved meanwhile is landed again instead, because the task before it
//! may have fixed the cause.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::post_landing::PostLanding;
use crate::landing::train::TrialMerge;
use crate::workspace::locate::{branch_of, load_target_in};
use forge_domain::task::{PendingReturn, TaskActivity, TaskSnapshot};
use forge_domain::{EffectReport, TaskId};
use forge_git::{BranchName, ObjectId, Repo};
use forge_store::tables;
use std::collections::{BTreeSet, HashMap};

const LOOK_AGAIN_SECONDS: u64 = 5;

impl PostLanding {
    /// Waits while an earlier returned task that touches the same files is at work. Then returns the report that
    /// retries the landing, if it may succeed now.
    pub(crate) async fn await_return_to_work(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<Option<EffectOutcome>, EffectError> {
        let task = effect.reload().await?;
        let Some(own) = task.post_landing.returning.clone() else { return Ok(None) };
        if task.activity != Some(TaskActivity::Rebasing) {
            return Ok(None);
        }
        let row = effect.repo_row()?;
        self.repos.fetch_task_target(&task, row, &effect.project, repo).await?;
        let (target, tip) = load_target_in(&task, row, repo).await?;
        self.await_earlier(repo, &task, &own, (&target, &tip)).await?;
        let due = self.may_land_now(effect, repo, &task, &own, &tip).await?;
        Ok(due.then(|| EffectOutcome::Report(EffectReport::LandingDue { visit: task.visit })))
    }

    async fn await_earlier(
        &self,
        repo: &Repo,
        task: &TaskSnapshot,
        own: &PendingReturn,
        (target, tip): (&BranchName, &ObjectId),
    ) -> Result<(), EffectError> {
        let mut others = self.repos.load_live_tasks_of_repo(task).await?;
        others.retain(|other| other.id != task.id && other.post_landing.returning.is_some());
        let mut ids: Vec<TaskId> = others.iter().map(|other| other.id).collect();
        ids.push(task.id);
        let positions = tables::events::last_places(&self.db, &ids, "merge.sent_back").await?;
        let mut paths = None;
        for other in others.iter().filter(|other| is_ahead_of(other, task, &positions)) {
            if self.repos.load_target(other, repo).await.is_ok_and(|(branch, _)| branch != *target)
            {
                continue;
            }
            let theirs = other.post_landing.returning.as_ref();
            if own.conflict && theirs.is_some_and(|theirs| theirs.conflict) {
                let own_paths = match &paths {
                    Some(paths) => paths,
                    None => paths.insert(load_changed_paths(repo, task, tip).await?),
                };
                if own_paths.is_disjoint(&load_changed_paths(repo, other, tip).await?) {
                    continue;
                }
            }
            return Err(EffectError::Waiting {
                report: Box::new(EffectReport::RebaseWaits),
                error: format!(
                    "waits until {}, which was sent back too, is in or out",
                    other.key()
                ),
                patience_seconds: LOOK_AGAIN_SECONDS,
            });
        }
        Ok(())
    }

    /// Whether the target moved since the landing failed, so that it may succeed now: the branch merges, or the failed
    /// checks have not run on the new result.
    async fn may_land_now(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        task: &TaskSnapshot,
        own: &PendingReturn,
        tip: &ObjectId,
    ) -> Result<bool, EffectError> {
        if own.tried_again {
            return Ok(false);
        }
        if !own.conflict {
            let Some(trial) = own.trial.as_ref().and_then(|id| ObjectId::new(&**id).ok()) else {
                return Ok(false);
            };
            // A trial is the target at that time with the branch on top.
            return Ok(!repo.is_ancestor(tip, &trial).await?);
        }
        let Some(workspace) = &task.workspace else { return Ok(false) };
        let Some(head) = repo.tip(&branch_of(workspace)?).await? else { return Ok(false) };
        let trial_merge = self
            .candidates
            .build_candidate(effect, repo, tip, head)
            .await?
            .merge_onto(repo, tip)
            .await?;
        Ok(matches!(trial_merge, TrialMerge::Clean { .. }))
    }
}

/// Whether another returned task is at work, or is ahead of this one. Waiting tasks are ordered by their projects'
/// events; timestamps of different transactions do not give an order.
fn is_ahead_of(
    other: &TaskSnapshot,
    task: &TaskSnapshot,
    positions: &HashMap<TaskId, i64>,
) -> bool {
    match other.activity {
        Some(TaskActivity::Rebasing) => {
            let position =
                |task: &TaskSnapshot| (positions.get(&task.id).copied().unwrap_or(0), task.id);
            position(other) < position(task)
        }
        _ => other.is_executing(),
    }
}

/// The files that a task's branch changed since its fork; empty if the branch is gone.
async fn load_changed_paths(
    repo: &Repo,
    task: &TaskSnapshot,
    tip: &ObjectId,
) -> Result<BTreeSet<String>, EffectError> {
    let Some(workspace) = &task.workspace else { return Ok(BTreeSet::new()) };
    let Some(head) = repo.tip(&branch_of(workspace)?).await? else { return Ok(BTreeSet::new()) };
    match repo.merge_base(tip, &head).await? {
        Some(base) => Ok(repo.changed_paths(&base, &head).await?),
        None => Ok(BTreeSet::new()),
    }
}
