//! With whom a branch does not get along: the tasks that landed since it left its target.

use super::Failure;
use super::land::Landing;
use super::perform::Step;
use crate::train::{Cargo, Placement};
use forge_domain::{CheckResult, TaskId};
use forge_git::ObjectId;
use forge_store::tables;
use tokio_util::sync::CancellationToken;

const TRAILER: &str = "Forge-Task";
/// A flaky check accuses nobody.
const RUNS: u32 = 2;

/// A commit on the way from where the branch left its target, and the task that landed with it.
type Landed = (ObjectId, String);

impl Step<'_> {
    /// Those that landed in these files.
    pub(super) async fn landed_in(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        base: &ObjectId,
        files: &[String],
    ) -> Result<Vec<String>, Failure> {
        let mut keys = Vec::new();
        for (_, task) in self.landed_since(landing, cargo, base, files).await? {
            keys.extend(self.key_of(&task).await?);
        }
        Ok(keys)
    }

    /// The first with which the checks fail, found by halving; nobody if they fail without any of them.
    pub(super) async fn red_with(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        base: &ObjectId,
        stop: &CancellationToken,
    ) -> Result<Vec<String>, Failure> {
        let mut landed = self.landed_since(landing, cargo, base, &[]).await?;
        landed.reverse();
        let Some(fork) = landing.repo.merge_base(base, &cargo.head).await? else {
            return Ok(Vec::new());
        };
        if landed.is_empty() || self.is_red(landing, cargo, &fork, stop).await? {
            return Ok(Vec::new());
        }
        // Red after the last of them, green before the first.
        let (mut green, mut red) = (0, landed.len());
        while red - green > 1 {
            let middle = usize::midpoint(green, red);
            let Some((commit, _)) = landed.get(middle - 1) else { break };
            if self.is_red(landing, cargo, commit, stop).await? {
                red = middle;
            } else {
                green = middle;
            }
        }
        match landed.get(red - 1) {
            Some((_, task)) => Ok(self.key_of(task).await?.into_iter().collect()),
            None => Ok(Vec::new()),
        }
    }

    /// Whether the checks fail with the branch on top of a commit. What does not fit there counts as red: it is about
    /// the same files.
    async fn is_red(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        base: &ObjectId,
        stop: &CancellationToken,
    ) -> Result<bool, Failure> {
        let Some(checks) = &cargo.checks else { return Ok(false) };
        let Placement::At { commit, tree, .. } = cargo.place(&landing.repo, base).await? else {
            return Ok(true);
        };
        if self.engine.receipt_for(cargo.repo, tree.as_str(), &checks.hash).await?.is_some() {
            return Ok(false);
        }
        for _ in 0..RUNS {
            let Some(results) = self.try_out(landing, &commit, checks, stop).await? else { break };
            if results.iter().all(CheckResult::has_passed) {
                return Ok(false);
            }
        }
        Ok(!stop.is_cancelled())
    }

    /// The newest first.
    async fn landed_since(
        &self,
        landing: &Landing,
        cargo: &Cargo,
        base: &ObjectId,
        files: &[String],
    ) -> Result<Vec<Landed>, Failure> {
        let repo = &landing.repo;
        let Some(fork) = repo.merge_base(base, &cargo.head).await? else { return Ok(Vec::new()) };
        Ok(repo.trailers_since(&fork, base, TRAILER, files).await?)
    }

    async fn key_of(&self, task: &str) -> Result<Option<String>, Failure> {
        let Ok(id) = task.parse::<TaskId>() else { return Ok(None) };
        let found = tables::tasks::load(self.engine.db(), id).await?;
        Ok(found.map(|task| task.key().to_string()))
    }
}
