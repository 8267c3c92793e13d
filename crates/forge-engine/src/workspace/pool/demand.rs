//! How many worktrees a pool keeps ready: as many as the largest recent burst of claims took.

use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::Timestamp;
use forge_git::DirectoryName;
use forge_store::tables;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Claims within this time are one burst: a pool is not refilled between them.
const BURST_SECONDS: i64 = 60;
/// How long a burst counts.
const MEMORY_SECONDS: i64 = 30 * 60;
/// How often pools whose bursts no longer count are looked for.
const SHRINK_SECONDS: u64 = 300;

/// The recent claims by repository (its common directory, because projects that share a repository share its pool).
/// They are only in memory: after a restart each pool starts again at its configured size.
#[derive(Debug, Default)]
pub(crate) struct PoolDemand(Mutex<HashMap<PathBuf, Vec<WorkspaceClaim>>>);

/// A workspace that was asked for. A retry or a reset asks for the same one again, and counts once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WorkspaceClaim {
    workspace: DirectoryName,
    at: Timestamp,
}

impl PoolDemand {
    /// Adds a claim, in place of an earlier one of the same workspace.
    pub(crate) fn record(&self, common_dir: &Path, workspace: &DirectoryName, now: Timestamp) {
        let mut claims = self.lock();
        let claims = claims.entry(common_dir.to_owned()).or_default();
        claims.retain(|claim| counts(claim.at, now) && claim.workspace != *workspace);
        claims.push(WorkspaceClaim { workspace: workspace.clone(), at: now });
    }

    /// How many worktrees of a repository are to be ready; see [`target_size`].
    pub(super) fn target(
        &self,
        common_dir: &Path,
        now: Timestamp,
        minimum: usize,
        ceiling: usize,
    ) -> usize {
        let claims = self.lock();
        let times: Vec<Timestamp> =
            claims.get(common_dir).into_iter().flatten().map(|claim| claim.at).collect();
        target_size(&times, now, minimum, ceiling)
    }

    /// Forgets claims that no longer count, and tells whether there were any.
    fn forget_old(&self, now: Timestamp) -> bool {
        let mut forgot = false;
        self.lock().retain(|_, claims| {
            let before = claims.len();
            claims.retain(|claim| counts(claim.at, now));
            forgot |= claims.len() < before;
            !claims.is_empty()
        });
        forgot
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Vec<WorkspaceClaim>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorktreePools {
    /// Lets pools shrink after their bursts no longer count.
    pub(crate) async fn shrink_idle_pools(&self) {
        loop {
            self.clock.wait_until(self.clock.now().plus_seconds(SHRINK_SECONDS)).await;
            if !self.pool_demand.forget_old(self.clock.now()) {
                continue;
            }
            match tables::repos::list(&self.db).await {
                Ok(repos) => repos.into_iter().for_each(|repo| self.maintain_pool(Some(repo.id))),
                Err(error) => tracing::warn!(%error, "idle pools could not be shrunk"),
            }
        }
    }
}

/// The size of the largest recent burst, at least `minimum` and at most `ceiling`. A minimum of 0 turns the pool off.
/// `claims` are in the order of time.
fn target_size(claims: &[Timestamp], now: Timestamp, minimum: usize, ceiling: usize) -> usize {
    if minimum == 0 {
        return 0;
    }
    largest_burst(claims, now).max(minimum).min(ceiling)
}

/// The largest number of claims within one burst, among those that still count.
fn largest_burst(claims: &[Timestamp], now: Timestamp) -> usize {
    let (mut first, mut largest) = (0, 0);
    for (last, at) in claims.iter().enumerate() {
        while claims
            .get(first)
            .is_some_and(|begin| !counts(*begin, now) || is_older(*begin, *at, BURST_SECONDS))
            && first <= last
        {
            first += 1;
        }
        largest = largest.max((last + 1).saturating_sub(first));
    }
    largest
}

fn counts(at: Timestamp, now: Timestamp) -> bool {
    !is_older(at, now, MEMORY_SECONDS)
}

/// Whether a time is at least so many seconds before another.
fn is_older(at: Timestamp, than: Timestamp, seconds: i64) -> bool {
    than.millis().saturating_sub(at.millis()) >= seconds * 1000
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn times(seconds: &[i64]) -> Vec<Timestamp> {
        seconds.iter().copied().map(at).collect()
    }

    #[test]
    fn w_15_the_target_is_the_largest_recent_burst() {
        for (claims, now, size) in [
            (vec![], 0, 2),
            (vec![0], 0, 2),
            (vec![0, 1, 2, 3], 3, 4),
            (vec![0, 1, 59, 60], 60, 3),
            (vec![0, 0, 0, 0, 100, 200], 200, 4),
            (vec![0, 100, 200, 300, 400], 400, 2),
            (vec![0, 0, 0, 0, 100], 30 * 60, 2),
        ] {
            assert_eq!(target_size(&times(&claims), at(now), 2, 10), size, "{claims:?} at {now}");
        }
        assert_eq!(target_size(&times(&[0; 10]), at(0), 0, 10), 0, "no pool");
    }

    #[test]
    fn w_15_each_workspace_counts_once_until_it_is_forgotten() {
        let (demand, repo) = (PoolDemand::default(), Path::new("/repo/.git"));
        for number in 0..20 {
            let name = DirectoryName::new(format!("task-{}", number % 10)).expect("a name");
            demand.record(repo, &name, at(0));
        }
        assert_eq!(demand.target(repo, at(1), 1, 100), 10);
        assert_eq!(demand.target(Path::new("/other/.git"), at(1), 1, 100), 1);
        assert!(!demand.forget_old(at(MEMORY_SECONDS - 1)));
        assert!(demand.forget_old(at(MEMORY_SECONDS)) && !demand.forget_old(at(MEMORY_SECONDS)));
        assert_eq!(demand.target(repo, at(MEMORY_SECONDS), 1, 100), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn w_15_the_target_keeps_its_bounds_and_falls_back_when_idle(
            mut claims in prop::collection::vec(0_i64..7200, 0..60),
            minimum in 1_usize..5,
            ceiling in 0_usize..40,
        ) {
            claims.sort_unstable();
            let last = claims.last().copied().unwrap_or_default();
            let claims = times(&claims);
            let size = target_size(&claims, at(last), minimum, ceiling);
            prop_assert!(size <= ceiling);
            prop_assert!(size >= minimum.min(ceiling));
            prop_assert!(size <= claims.len().max(minimum));
            let mut before = size;
            for seconds in (0..=MEMORY_SECONDS).step_by(60) {
                let later = target_size(&claims, at(last + seconds), minimum, ceiling);
                prop_assert!(later <= before, "it never grows without a claim");
                before = later;
            }
            prop_assert_eq!(before, minimum.min(ceiling));
        }

        #[test]
        fn w_15_a_burst_that_fits_is_ready_for_the_next(count in 1_usize..40, now in 0_i64..BURST_SECONDS) {
            prop_assert_eq!(target_size(&vec![at(0); count], at(now), 1, 40), count);
        }
    }
}
