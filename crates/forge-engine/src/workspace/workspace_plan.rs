//! Chooses the names of a task's workspace (T-24, W-3).

use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use crate::engine::Engine;
use crate::workspace::locate::load_target_in;
use crate::workspace::naming::{NameTemplates, NameValues};
use forge_domain::task::TaskSnapshot;
use forge_git::{BranchName, BranchNameConflict, DirectoryName, Repo, WorkspaceRoot};
use forge_store::tables;
use serde::{Deserialize, Serialize};

const MOST_SUFFIXES: u32 = 1000;
/// Linux limits paths to 4096 bytes, and the repository needs room for its own paths.
const LONGEST_PLACE: usize = 3584;

/// The names chosen for a workspace; journalled so that a retry uses the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WorkspacePlan {
    pub(crate) directory: String,
    pub(crate) branch: String,
    pub(crate) base: String,
}

impl EffectRun<'_> {
    /// Chooses directory, branch and base of a task's first worktree (T-24, W-3).
    pub(crate) async fn plan_workspace(&self, repo: &Repo) -> Result<WorkspacePlan, EffectError> {
        let (engine, task) = (self.engine, &self.task);
        let (row, worker) =
            tokio::try_join!(engine.load_repo_row(task), engine.load_worker_name(task))?;
        engine.fetch_task_target(task, &row, repo).await?;
        let base = match engine.load_given_base(task, repo).await? {
            Some(base) => base,
            None => load_target_in(task, &row, repo).await?.1,
        };
        let templates = NameTemplates::of(&self.project.settings)
            .map_err(|error| EffectError::workspace(error.to_string()))?;
        let words = NameValues::from_task(task, &self.project.slug, &worker, engine.now());
        let wanted = templates.branch(task.kind).render(&words);
        let branch = engine.find_free_branch(repo, &wanted).await?;
        let directory = engine.find_free_directory(&templates.directory_name(&words))?;
        Ok(WorkspacePlan {
            directory: directory.to_string(),
            branch: branch.to_string(),
            base: base.to_string(),
        })
    }
}

impl Engine {
    /// The name of the agent or user that works on the task.
    async fn load_worker_name(&self, task: &TaskSnapshot) -> Result<String, EffectError> {
        let Some(run) = &task.run else { return Ok(String::new()) };
        let name = match (run.assignee.agent(), run.assignee.user()) {
            (Some(agent), _) => tables::agents::load(&self.0.db, agent).await?.map(|row| row.name),
            (None, Some(user)) => tables::users::load(&self.0.db, user).await?.map(|row| row.name),
            (None, None) => None,
        };
        Ok(name.unwrap_or_default())
    }

    /// Finds a branch name that git accepts: a collision adds a suffix, never an error (T-24). The suffix goes to the
    /// component that collides, because `feat/x-2` collides with the branch `feat` just like `feat/x`.
    async fn find_free_branch(&self, repo: &Repo, wanted: &str) -> Result<BranchName, EffectError> {
        let valid = |name: String| {
            BranchName::new(name).map_err(|error| EffectError::workspace(error.to_string()))
        };
        // The component being resolved, and the rest of the name after it.
        let (mut head, mut tail) = (wanted.to_owned(), String::new());
        let mut suffix = 1;
        while suffix < MOST_SUFFIXES {
            let numbered = if suffix == 1 { head.clone() } else { format!("{head}-{suffix}") };
            let branch = valid(format!("{numbered}{tail}"))?;
            match repo.branch_name_conflict(&branch).await? {
                None => return Ok(branch),
                Some(BranchNameConflict::ParentIsBranch(above)) if numbered != above.as_str() => {
                    let name = branch.as_str();
                    tail = name.get(above.as_str().len()..).unwrap_or_default().to_owned();
                    above.as_str().clone_into(&mut head);
                    suffix = 2;
                }
                Some(BranchNameConflict::Taken) if !tail.is_empty() => {
                    // The parent component is free; now the full branch name collides.
                    branch.as_str().clone_into(&mut head);
                    tail.clear();
                    suffix = 2;
                }
                Some(BranchNameConflict::ParentIsBranch(_) | BranchNameConflict::Taken) => {
                    suffix += 1
                }
            }
        }
        Err(EffectError::workspace(format!("a thousand branches are called {wanted}; delete some")))
    }

    /// Finds an unused directory name; the template alone does not guarantee uniqueness (W-3).
    fn find_free_directory(&self, wanted: &str) -> Result<DirectoryName, EffectError> {
        let length = self.0.root.path().as_os_str().len() + wanted.len();
        if length > LONGEST_PLACE {
            return Err(EffectError::workspace(format!(
                "a workspace's path would be {length} bytes long, which leaves no room for files in it; start the \
                 server with a shorter --workspace-root (FORGE_WORKSPACE_ROOT)"
            )));
        }
        for suffix in 1..MOST_SUFFIXES {
            let name = if suffix == 1 { wanted.to_owned() } else { format!("{wanted}-{suffix}") };
            let name = DirectoryName::new(name)
                .map_err(|error| EffectError::workspace(error.to_string()))?;
            let free = |root: &WorkspaceRoot| root.directory(&name).symlink_metadata().is_err();
            if free(&self.0.root) && free(&self.0.root.staged_removals()) {
                return Ok(name);
            }
        }
        Err(EffectError::workspace(format!(
            "a thousand workspaces are called {wanted}; remove some"
        )))
    }
}
