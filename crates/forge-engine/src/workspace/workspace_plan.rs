//! Chooses the names of a task's workspace (T-24, W-3).

use crate::effects::{EffectContext, EffectError};
use crate::workspace::locate::load_target_in;
use crate::workspace::naming::{NameTemplates, NameValues};
use crate::workspace::restore_entry::load_given_base;
use crate::workspace::workspaces::Workspaces;
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

impl Workspaces {
    /// Chooses directory, branch and base of a task's first worktree (T-24, W-3).
    pub(crate) async fn plan_workspace(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<WorkspacePlan, EffectError> {
        let (task, row) = (&effect.task, effect.repo_row()?);
        let worker = self.load_worker_name(task).await?;
        self.repos.fetch_task_target(task, row, &effect.project, repo).await?;
        let base = match load_given_base(task, repo).await? {
            Some(base) => base,
            None => load_target_in(task, row, repo).await?.1,
        };
        let templates = NameTemplates::load(&effect.project.settings)
            .map_err(|error| EffectError::workspace(error.to_string()))?;
        let values = NameValues::from_task(task, &effect.project.slug, &worker, self.clock.now());
        let wanted = templates.branch(task.kind).render(&values);
        let branch = find_free_branch(repo, &wanted).await?;
        let directory = self.find_free_directory(&templates.directory_name(&values))?;
        Ok(WorkspacePlan {
            directory: directory.to_string(),
            branch: branch.to_string(),
            base: base.to_string(),
        })
    }

    /// The name of the agent or user that works on the task.
    async fn load_worker_name(&self, task: &TaskSnapshot) -> Result<String, EffectError> {
        let Some(run) = &task.run else { return Ok(String::new()) };
        let name = match (run.assignee.agent(), run.assignee.user()) {
            (Some(agent), _) => tables::agents::load(&self.db, agent).await?.map(|row| row.name),
            (None, Some(user)) => tables::users::load(&self.db, user).await?.map(|row| row.name),
            (None, None) => None,
        };
        Ok(name.unwrap_or_default())
    }

    /// Finds an unused directory name; the template alone does not guarantee uniqueness (W-3).
    fn find_free_directory(&self, wanted: &str) -> Result<DirectoryName, EffectError> {
        let length = self.root.path().as_os_str().len() + wanted.len();
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
            if free(&self.root) && free(&self.root.staged_removals()) {
                return Ok(name);
            }
        }
        Err(EffectError::workspace(format!(
            "a thousand workspaces are called {wanted}; remove some"
        )))
    }
}

/// Finds a branch name that git accepts: a collision adds a suffix, never an error (T-24). The suffix goes to the
/// component that collides, because `feat/x-2` collides with the branch `feat` just like `feat/x`.
async fn find_free_branch(repo: &Repo, wanted: &str) -> Result<BranchName, EffectError> {
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
            Some(BranchNameConflict::ParentIsBranch(_) | BranchNameConflict::Taken) => suffix += 1,
        }
    }
    Err(EffectError::workspace(format!("a thousand branches are called {wanted}; delete some")))
}
