//! Pools of repositories that no project has any more (W-15).

use crate::effects::Failure;
use crate::engine::Engine;
use forge_git::Pool;
use forge_store::tables;
use std::path::PathBuf;

impl Engine {
    /// Clears them. A repository that some project has and that cannot be opened may be back tomorrow: its pool stays.
    pub(super) async fn clear_abandoned_pools(&self) -> Result<(), Failure> {
        let (mut known, mut places) = (Vec::new(), Vec::new());
        for row in tables::repos::list(&self.0.db).await? {
            let Some(path) = row.path.map(PathBuf::from) else { continue };
            match self.open_repo(&path).await {
                Ok(repo) => {
                    let (root, inner) = (&self.0.root, &self.0);
                    root.drop_trials(&repo, &inner.repo_locks, &inner.workspace_locks).await?;
                    known.push(Pool::open(&repo, &self.0.root, &self.0.repo_locks)?);
                }
                Err(_) => places.push(path),
            }
        }
        let (git, locks) = (&self.0.git, &self.0.repo_locks);
        if self.0.root.drop_abandoned_pools(git, locks, &known, &places).await? > 0 {
            self.tend_trash();
        }
        Ok(())
    }
}
