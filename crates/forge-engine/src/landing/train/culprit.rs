//! Finds the culprits: the tasks that landed since a branch forked from its target, and with whose landings it fails.

use crate::effects::{EffectContext, EffectError};
use crate::gate::receipts::Receipts;
use crate::landing::land::LandingContext;
use crate::landing::train::trial::TrialRunner;
use crate::landing::train::{LandingCandidate, TrialMerge};
use forge_domain::{CheckResult, TaskId};
use forge_git::ObjectId;
use forge_store::{Db, tables};
use tokio_util::sync::CancellationToken;

const TRAILER: &str = "Forge-Task";
/// Repeat a failing check, so that a flaky one does not name a culprit.
const RUNS: u32 = 2;

/// A commit of the target since the fork, and the id of the task that landed it.
type LandedCommit = (ObjectId, String);

/// Finds the landed tasks with which an evicted branch fails: for a conflict by its files, for failed checks by bisection.
#[derive(Debug, Clone)]
pub(crate) struct CulpritSearch {
    pub(crate) db: Db,
    pub(crate) receipts: Receipts,
    pub(crate) trials: TrialRunner,
}

impl CulpritSearch {
    /// The tasks that landed changes in these files.
    pub(crate) async fn find_landings_in_files(
        &self,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        base: &ObjectId,
        files: &[String],
    ) -> Result<Vec<String>, EffectError> {
        let mut keys = Vec::new();
        for (_, task) in load_landings_since_fork(landing, candidate, base, files).await? {
            keys.extend(self.load_task_key(&task).await?);
        }
        Ok(keys)
    }

    /// Finds by bisection the first landing with which the checks fail. Empty if they fail without any of them.
    pub(crate) async fn find_failing_landing(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        base: &ObjectId,
        stop: &CancellationToken,
    ) -> Result<Vec<String>, EffectError> {
        let mut landed = load_landings_since_fork(landing, candidate, base, &[]).await?;
        landed.reverse();
        let Some(fork) = landing.repo.merge_base(base, &candidate.head).await? else {
            return Ok(Vec::new());
        };
        if landed.is_empty() || self.fails_on(effect, landing, candidate, &fork, stop).await? {
            return Ok(Vec::new());
        }
        // Invariant: red at the last landing, green before the first.
        let (mut green, mut red) = (0, landed.len());
        while red - green > 1 {
            let middle = usize::midpoint(green, red);
            let Some((commit, _)) = landed.get(middle - 1) else { break };
            if self.fails_on(effect, landing, candidate, commit, stop).await? {
                red = middle;
            } else {
                green = middle;
            }
        }
        match landed.get(red - 1) {
            Some((_, task)) => Ok(self.load_task_key(task).await?.into_iter().collect()),
            None => Ok(Vec::new()),
        }
    }

    /// Whether the checks fail with the branch merged onto a commit. A conflict counts as red, because it concerns the
    /// same files.
    async fn fails_on(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        candidate: &LandingCandidate,
        base: &ObjectId,
        stop: &CancellationToken,
    ) -> Result<bool, EffectError> {
        let Some(checks) = &candidate.checks else { return Ok(false) };
        let TrialMerge::Clean { commit, tree, .. } =
            candidate.merge_onto(&landing.repo, base).await?
        else {
            return Ok(true);
        };
        if self.receipts.receipt_for(candidate.repo, tree.as_str(), &checks.hash).await?.is_some() {
            return Ok(false);
        }
        for _ in 0..RUNS {
            let Some(results) =
                self.trials.run_trial(effect, landing, &commit, checks, stop).await?
            else {
                break;
            };
            if results.iter().all(CheckResult::is_accepted) {
                return Ok(false);
            }
        }
        Ok(!stop.is_cancelled())
    }

    async fn load_task_key(&self, task: &str) -> Result<Option<String>, EffectError> {
        let Ok(id) = task.parse::<TaskId>() else { return Ok(None) };
        let found = tables::tasks::load(&self.db, id).await?;
        Ok(found.map(|task| task.key().to_string()))
    }
}

/// The landings since the fork, newest first.
async fn load_landings_since_fork(
    landing: &LandingContext,
    candidate: &LandingCandidate,
    base: &ObjectId,
    files: &[String],
) -> Result<Vec<LandedCommit>, EffectError> {
    let repo = &landing.repo;
    let Some(fork) = repo.merge_base(base, &candidate.head).await? else {
        return Ok(Vec::new());
    };
    Ok(repo.trailers_since(&fork, base, TRAILER, files).await?)
}
