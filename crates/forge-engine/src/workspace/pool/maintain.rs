//! Keeps each repository's pool at its size and at the target's tip, and empties the trash.

use crate::command::clock::Clock;
use crate::effects::engine_tasks::EngineTasks;
use crate::effects::faults::FaultPoints;
use crate::effects::{EffectError, ErrorChain};
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::pool::background_jobs::BackgroundJob;
use crate::workspace::pool::ignored_files::ignored_files_owner;
use crate::workspace::pool::{BackgroundJobs, OpenedRepos, PoolDemand, PoolLimits};
use forge_domain::RepoId;
use forge_git::{
    BranchName, GitProgram, ObjectId, PoolLock, Repo, RepoLocks, WorkspaceLocks, WorkspaceRoot,
    WorktreePool,
};
use forge_store::Db;
use forge_store::tables::{self, projects::ProjectRow};
use std::path::Path;
use std::sync::Arc;

/// After this many failures a job waits for its next trigger.
const MOST_TRIES: u32 = 3;

/// The pools of worktrees, one per repository, and the background jobs that keep them.
#[derive(Debug, Clone)]
pub struct WorktreePools {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) background_jobs: Arc<BackgroundJobs>,
    pub(crate) faults: FaultPoints,
    pub(crate) git: GitProgram,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) pool_demand: Arc<PoolDemand>,
    pub(crate) pool_limits: PoolLimits,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) root: WorkspaceRoot,
    pub(crate) tasks: EngineTasks,
    pub(crate) workspace_locks: WorkspaceLocks,
}

impl WorktreePools {
    /// The repository's pool for a project, unless pools are disabled.
    pub(crate) fn open_pool(
        &self,
        repo: &Repo,
        project: &ProjectRow,
    ) -> Result<Option<WorktreePool>, EffectError> {
        if self.pool_limits.size == 0 {
            return Ok(None);
        }
        let keeper = ignored_files_owner(project);
        let pool = WorktreePool::open(repo, &self.root, &self.repo_locks)?;
        Ok(Some(pool.for_ignored_files_owners(keeper.into_iter().collect())))
    }

    /// How many worktrees of a repository are to be ready, if the disk has room for `ceiling`.
    pub(crate) fn pool_target(&self, repo: &Repo, ceiling: usize) -> usize {
        let (now, minimum) = (self.clock.now(), self.pool_limits.size);
        self.pool_demand.target(repo.common_dir(), now, minimum, ceiling)
    }

    /// Looks after every pool and the trash: what the last run left is put right. Returns at once.
    pub async fn maintain_pools(&self) {
        self.start_background_job(BackgroundJob::RemoveAbandoned);
        self.start_emptying_trash();
        match tables::repos::list(&self.db).await {
            Ok(repos) => repos
                .into_iter()
                .for_each(|repo| self.start_background_job(BackgroundJob::MaintainPool(repo.id))),
            Err(error) => tracing::warn!(%error, "could not maintain the pools"),
        }
    }

    /// Starts maintenance of a repository's pool after a worktree was taken or returned, or the target moved.
    pub(crate) fn maintain_pool(&self, repo: Option<RepoId>) {
        if let Some(repo) = repo
            && self.pool_limits.size > 0
        {
            self.start_background_job(BackgroundJob::MaintainPool(repo));
        }
    }

    /// Starts the cleanup of a removed repository.
    pub(crate) fn start_repo_cleanup(&self, repo: RepoId) {
        self.start_background_job(BackgroundJob::CleanUpRepo(repo));
    }

    /// Starts emptying the trash.
    pub(crate) fn start_emptying_trash(&self) {
        self.start_background_job(BackgroundJob::EmptyTrash);
    }

    fn start_background_job(&self, job: BackgroundJob) {
        if self.tasks.is_dead() || !self.background_jobs.begin(job) {
            return;
        }
        let pools = self.clone();
        self.tasks.spawn_until_death(async move { pools.run_background_job(job).await });
    }

    async fn run_background_job(&self, job: BackgroundJob) {
        let mut failures = 0;
        loop {
            let done = match job {
                BackgroundJob::MaintainPool(repo) => self.repair_and_fill_pool(repo).await,
                BackgroundJob::RemoveAbandoned => self.remove_abandoned().await,
                BackgroundJob::CleanUpRepo(repo) => self.clean_up_removed_repo(repo).await,
                BackgroundJob::EmptyTrash => {
                    self.root.empty_trash().await.map(drop).map_err(EffectError::from)
                }
            };
            match done {
                Ok(()) => failures = 0,
                Err(EffectError::LeaseLost) => failures = 0,
                Err(error) => {
                    failures += 1;
                    tracing::warn!(?job, error = %ErrorChain(&error), failures, "background job failed");
                }
            }
            let again = self.background_jobs.end(job);
            if !again && (failures == 0 || failures >= MOST_TRIES) {
                return;
            }
            if !again && !self.background_jobs.begin(job) {
                return;
            }
        }
    }

    async fn repair_and_fill_pool(&self, id: RepoId) -> Result<(), EffectError> {
        let Some(row) = tables::repos::load(&self.db, id).await? else { return Ok(()) };
        let Some(path) = row.path else { return Ok(()) };
        let repo = self.opened_repos.open(Path::new(&path)).await?;
        let broken = |error: forge_git::RefNameError| EffectError::workspace(error.to_string());
        let branch = BranchName::new(row.default_branch).map_err(broken)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(()) };
        let pool = WorktreePool::open(&repo, &self.root, &self.repo_locks)?;
        let pool = pool.for_ignored_files_owners(self.load_ignored_files_owners(&repo).await?);
        if self.pool_limits.size == 0 && pool.is_empty() {
            return Ok(());
        }
        let turn = pool.lock().await?;
        // If the repository was removed meanwhile, its cleanup job clears the pool; do not fill it again.
        if tables::repos::load(&self.db, id).await?.is_none() {
            return Ok(());
        }
        self.faults.reach("pool.turn").await?;
        if self.background_jobs.is_new(id) {
            turn.inspect_ready().await?;
            self.background_jobs.set_inspected(id);
        }
        turn.withdraw_foreign().await?;
        turn.update_to(&tip).await?;
        self.faults.reach("pool.followed").await?;
        let tended = turn.repair(&tip).await?;
        self.faults.reach("pool.mended").await?;
        if tended.dropped + turn.shrink(self.pool_target(&repo, usize::MAX)).await? > 0 {
            self.start_emptying_trash();
        }
        self.fill_pool(&repo, &pool, &turn, &tip).await
    }

    async fn fill_pool(
        &self,
        repo: &Repo,
        pool: &WorktreePool,
        turn: &PoolLock,
        tip: &ObjectId,
    ) -> Result<(), EffectError> {
        let limits = self.pool_limits;
        let mut expected = None;
        loop {
            let _adding = self.background_jobs.adding.lock().await;
            let used = self.root.load_pool_bytes().await?;
            if used > limits.disk_bytes && !pool.ready().is_empty() {
                if turn.shrink(pool.ready().len() - 1).await? == 0 {
                    return Ok(());
                }
                self.start_emptying_trash();
                continue;
            }
            if pool.len() >= self.pool_target(repo, usize::MAX) {
                return Ok(());
            }
            let one = match (pool.ready().first(), expected) {
                (Some(ready), _) => ready.bytes,
                (None, Some(expected)) => expected,
                (None, None) => *expected.insert(pool.estimate(tip).await?),
            };
            let room = limits.disk_bytes.saturating_sub(used) / one.max(1);
            let ceiling = pool.len().saturating_add(usize::try_from(room).unwrap_or(usize::MAX));
            if pool.len() >= self.pool_target(repo, ceiling) {
                tracing::info!(used, one, "pool reached its disk limit");
                return Ok(());
            }
            turn.add(tip).await?;
            self.faults.reach("pool.added").await?;
        }
    }
}
