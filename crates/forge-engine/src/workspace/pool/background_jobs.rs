//! Background jobs, each run once at a time: a request during a run repeats the job afterwards.

use forge_domain::RepoId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One background job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BackgroundJob {
    /// Maintain a repository's pool.
    MaintainPool(RepoId),
    /// Remove the pools of unregistered repositories.
    RemoveAbandoned,
    /// Remove the files of a repository that was removed from its project.
    CleanUpRepo(RepoId),
    /// Delete the trash.
    EmptyTrash,
}

/// The running jobs, and whether each must run again.
#[derive(Debug, Default)]
pub(crate) struct BackgroundJobs {
    running: Mutex<HashMap<BackgroundJob, bool>>,
    inspected: Mutex<HashSet<RepoId>>,
    /// Held while a pool grows: two jobs that measure the free disk space at once would both use it.
    pub(crate) adding: tokio::sync::Mutex<()>,
}

impl BackgroundJobs {
    /// True if the caller must run the job now.
    pub(crate) fn begin(&self, job: BackgroundJob) -> bool {
        let mut under_way = lock(&self.running);
        let asked_before = under_way.get_mut(&job).map(|again| *again = true).is_some();
        if !asked_before {
            under_way.insert(job, false);
        }
        !asked_before
    }

    /// True if the job must run again.
    pub(crate) fn end(&self, job: BackgroundJob) -> bool {
        let mut under_way = lock(&self.running);
        let again = under_way.insert(job, false).unwrap_or(false);
        if !again {
            under_way.remove(&job);
        }
        again
    }

    /// True until this process has inspected the repository's pool.
    pub(crate) fn is_new(&self, repo: RepoId) -> bool {
        !lock(&self.inspected).contains(&repo)
    }

    pub(crate) fn set_inspected(&self, repo: RepoId) {
        lock(&self.inspected).insert(repo);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w_15_a_job_requested_while_it_runs_runs_once_more() {
        let chores = BackgroundJobs::default();
        assert!(chores.begin(BackgroundJob::EmptyTrash));
        assert!(
            !chores.begin(BackgroundJob::EmptyTrash) && !chores.begin(BackgroundJob::EmptyTrash)
        );
        assert!(chores.end(BackgroundJob::EmptyTrash));
        assert!(!chores.end(BackgroundJob::EmptyTrash));
        assert!(chores.begin(BackgroundJob::EmptyTrash));
    }
}
