//! Keeps each repository's pool at its size and at the target's tip, and empties the trash.

use crate::effects::EffectError;
use crate::engine::Engine;
use crate::workspace::pool::background_jobs::BackgroundJob;
use crate::workspace::pool::ignored_files::ignored_files_owner;
use forge_domain::RepoId;
use forge_git::{BranchName, ObjectId, PoolLock, Repo, RepoOpenError, WorktreePool};
use forge_store::tables::{self, projects::ProjectRow};
use std::path::Path;

/// After this many failures a job waits for its next trigger.
const MOST_TRIES: u32 = 3;

impl Engine {
    /// Opens the repository at a path.
    pub(crate) async fn open_repo(&self, path: &Path) -> Result<Repo, RepoOpenError> {
        self.0.opened_repos.open(&self.0.git, path).await
    }

    /// The repository's pool for a project, unless pools are disabled.
    pub(crate) fn open_pool(
        &self,
        repo: &Repo,
        project: &ProjectRow,
    ) -> Result<Option<WorktreePool>, EffectError> {
        if self.0.limits.pool.size == 0 {
            return Ok(None);
        }
        let keeper = ignored_files_owner(project);
        let pool = WorktreePool::open(repo, &self.0.root, &self.0.repo_locks)?;
        Ok(Some(pool.for_ignored_files_owners(keeper.into_iter().collect())))
    }

    /// How many worktrees of a repository are to be ready, if the disk has room for `ceiling`.
    pub(crate) fn pool_target(&self, repo: &Repo, ceiling: usize) -> usize {
        let (now, minimum) = (self.0.clock.now(), self.0.limits.pool.size);
        self.0.pool_demand.target(repo.common_dir(), now, minimum, ceiling)
    }

    /// Looks after every pool and the trash: what the last run left is put right. Returns at once.
    pub async fn maintain_pools(&self) {
        self.start_background_job(BackgroundJob::RemoveAbandoned);
        self.start_emptying_trash();
        match tables::repos::list(&self.0.db).await {
            Ok(repos) => repos
                .into_iter()
                .for_each(|repo| self.start_background_job(BackgroundJob::MaintainPool(repo.id))),
            Err(error) => tracing::warn!(%error, "could not maintain the pools"),
        }
    }

    /// Starts maintenance of a repository's pool after a worktree was taken or returned, or the target moved.
    pub(crate) fn maintain_pool(&self, repo: Option<RepoId>) {
        if let Some(repo) = repo
            && self.0.limits.pool.size > 0
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

    fn start_background_job(&self, chore: BackgroundJob) {
        if self.0.dead.is_cancelled() || !self.0.background_jobs.begin(chore) {
            return;
        }
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.run_background_job(chore) => {}
            }
        });
    }

    async fn run_background_job(&self, chore: BackgroundJob) {
        let mut failures = 0;
        loop {
            let done = match chore {
                BackgroundJob::MaintainPool(repo) => self.repair_and_fill_pool(repo).await,
                BackgroundJob::RemoveAbandoned => self.remove_abandoned().await,
                BackgroundJob::CleanUpRepo(repo) => self.clean_up_removed_repo(repo).await,
                BackgroundJob::EmptyTrash => {
                    self.0.root.empty_trash().await.map(drop).map_err(EffectError::from)
                }
            };
            match done {
                Ok(()) => failures = 0,
                Err(EffectError::LeaseLost) => failures = 0,
                Err(
                    EffectError::Transient(error)
                    | EffectError::Waiting { error, .. }
                    | EffectError::NeedsPerson { message: error, .. },
                ) => {
                    failures += 1;
                    tracing::warn!(?chore, error, failures, "background job failed");
                }
            }
            let again = self.0.background_jobs.end(chore);
            if !again && (failures == 0 || failures >= MOST_TRIES) {
                return;
            }
            if !again && !self.0.background_jobs.begin(chore) {
                return;
            }
        }
    }

    async fn repair_and_fill_pool(&self, id: RepoId) -> Result<(), EffectError> {
        let Some(row) = tables::repos::load(&self.0.db, id).await? else { return Ok(()) };
        let Some(path) = row.path else { return Ok(()) };
        let repo = self.open_repo(Path::new(&path)).await?;
        let broken = |error: forge_git::RefNameError| EffectError::workspace(error.to_string());
        let branch = BranchName::new(row.default_branch).map_err(broken)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(()) };
        let pool = WorktreePool::open(&repo, &self.0.root, &self.0.repo_locks)?;
        let pool = pool.for_ignored_files_owners(self.load_ignored_files_owners(&repo).await?);
        if self.0.limits.pool.size == 0 && pool.is_empty() {
            return Ok(());
        }
        let turn = pool.lock().await?;
        // If the repository was removed meanwhile, its cleanup job clears the pool; do not fill it again.
        if tables::repos::load(&self.0.db, id).await?.is_none() {
            return Ok(());
        }
        self.0.faults.reach("pool.turn").await?;
        if self.0.background_jobs.is_new(id) {
            turn.inspect_ready().await?;
            self.0.background_jobs.set_inspected(id);
        }
        turn.withdraw_foreign().await?;
        turn.update_to(&tip).await?;
        self.0.faults.reach("pool.followed").await?;
        let tended = turn.repair(&tip).await?;
        self.0.faults.reach("pool.mended").await?;
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
        let limits = self.0.limits.pool;
        let mut expected = None;
        loop {
            let _adding = self.0.background_jobs.adding.lock().await;
            let used = self.0.root.load_pool_bytes().await?;
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
            self.0.faults.reach("pool.added").await?;
        }
    }
}
