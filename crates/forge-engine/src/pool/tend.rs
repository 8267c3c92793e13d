//! Keeps each repository's pool at its size and at the tip of the target, and empties the trash.

use super::chores::Chore;
use super::keeping::keeper;
use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::RepoId;
use forge_git::{BranchName, ObjectId, OpenError, Pool, PoolTurn, Repo};
use forge_store::tables::{self, projects::Project};
use std::path::Path;

/// What fails more often than this waits for the next reason to try.
const MOST_TRIES: u32 = 3;

impl Engine {
    /// The repository at a path.
    pub(crate) async fn open_repo(&self, path: &Path) -> Result<Repo, OpenError> {
        self.0.opened.open(&self.0.git, path).await
    }

    /// The repository's pool for the tasks of a project, unless there is to be none.
    pub(crate) fn pool_of(&self, repo: &Repo, project: &Project) -> Result<Option<Pool>, Failure> {
        if self.0.limits.pool.size == 0 {
            return Ok(None);
        }
        let keeper = keeper(project);
        let pool = Pool::open(repo, &self.0.root, &self.0.repo_locks)?;
        Ok(Some(pool.for_keepers(keeper.into_iter().collect())))
    }

    /// Looks after every pool and the trash: what the last run left is put right. Returns at once.
    pub async fn tend_pools(&self) {
        self.begin_chore(Chore::Abandoned);
        self.tend_trash();
        match tables::repos::list(&self.0.db).await {
            Ok(repos) => repos.into_iter().for_each(|repo| self.begin_chore(Chore::Pool(repo.id))),
            Err(error) => tracing::warn!(%error, "the pools could not be looked after"),
        }
    }

    /// Something happened that a repository's pool has to follow: one was given away or came back, or the target moved.
    pub(crate) fn tend_pool(&self, repo: Option<RepoId>) {
        if let Some(repo) = repo
            && self.0.limits.pool.size > 0
        {
            self.begin_chore(Chore::Pool(repo));
        }
    }

    /// A repository was taken from its project.
    pub(crate) fn tend_removed(&self, repo: RepoId) {
        self.begin_chore(Chore::Removed(repo));
    }

    /// Something was removed.
    pub(crate) fn tend_trash(&self) {
        self.begin_chore(Chore::Trash);
    }

    fn begin_chore(&self, chore: Chore) {
        if self.0.dead.is_cancelled() || !self.0.chores.begin(chore) {
            return;
        }
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.do_chore(chore) => {}
            }
        });
    }

    async fn do_chore(&self, chore: Chore) {
        let mut failures = 0;
        loop {
            let done = match chore {
                Chore::Pool(repo) => self.keep_pool(repo).await,
                Chore::Abandoned => self.clear_abandoned().await,
                Chore::Removed(repo) => self.clear_removed(repo).await,
                Chore::Trash => self.0.root.empty_trash().await.map(drop).map_err(Failure::from),
            };
            match done {
                Ok(()) => failures = 0,
                Err(Failure::Overtaken) => failures = 0,
                Err(
                    Failure::Passing(error)
                    | Failure::Waits { error, .. }
                    | Failure::Final { message: error, .. },
                ) => {
                    failures += 1;
                    tracing::warn!(?chore, error, failures, "background work failed");
                }
            }
            let again = self.0.chores.end(chore);
            if !again && (failures == 0 || failures >= MOST_TRIES) {
                return;
            }
            if !again && !self.0.chores.begin(chore) {
                return;
            }
        }
    }

    async fn keep_pool(&self, id: RepoId) -> Result<(), Failure> {
        let Some(row) = tables::repos::load(&self.0.db, id).await? else { return Ok(()) };
        let Some(path) = row.path else { return Ok(()) };
        let repo = self.open_repo(Path::new(&path)).await?;
        let broken = |error: forge_git::NameError| Failure::workspace(error.to_string());
        let branch = BranchName::new(row.default_branch).map_err(broken)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(()) };
        let pool = Pool::open(&repo, &self.0.root, &self.0.repo_locks)?;
        let pool = pool.for_keepers(self.keepers_of(&repo).await?);
        let size = self.0.limits.pool.size;
        if size == 0 && pool.is_empty() {
            return Ok(());
        }
        let turn = pool.turn().await?;
        // Whoever took it from its project meanwhile clears the pool at their turn: none after it may fill it again.
        if tables::repos::load(&self.0.db, id).await?.is_none() {
            return Ok(());
        }
        self.0.faults.reach("pool.turn").await?;
        if self.0.chores.is_new(id) {
            turn.inspect().await?;
            self.0.chores.set_inspected(id);
        }
        turn.recall().await?;
        turn.follow(&tip).await?;
        self.0.faults.reach("pool.followed").await?;
        let tended = turn.mend(&tip).await?;
        self.0.faults.reach("pool.mended").await?;
        if tended.dropped + turn.shrink(size).await? > 0 {
            self.tend_trash();
        }
        self.fill(&pool, &turn, &tip).await
    }

    async fn fill(&self, pool: &Pool, turn: &PoolTurn, tip: &ObjectId) -> Result<(), Failure> {
        let limits = self.0.limits.pool;
        let mut expected = None;
        loop {
            let _adding = self.0.chores.adding.lock().await;
            let used = self.0.root.load_pool_bytes().await?;
            if used > limits.disk_bytes && !pool.ready().is_empty() {
                if turn.shrink(pool.ready().len() - 1).await? == 0 {
                    return Ok(());
                }
                self.tend_trash();
                continue;
            }
            if pool.len() >= limits.size {
                return Ok(());
            }
            let one = match (pool.ready().first(), expected) {
                (Some(ready), _) => ready.bytes,
                (None, Some(expected)) => expected,
                (None, None) => *expected.insert(pool.estimate(tip).await?),
            };
            if used.saturating_add(one) > limits.disk_bytes {
                tracing::info!(used, one, "the pool is as large as its part of the disk allows");
                return Ok(());
            }
            turn.add(tip).await?;
            self.0.faults.reach("pool.added").await?;
        }
    }
}
