//! What a task's workspace will be called (T-24, W-3).

use super::Failure;
use super::perform::Step;
use super::site::target_in;
use crate::engine::Engine;
use crate::naming::{Templates, Words};
use forge_domain::task::Snapshot;
use forge_git::{BranchName, Clash, DirectoryName, Repo, WorkspaceRoot};
use forge_store::tables;
use serde::{Deserialize, Serialize};

const MOST_SUFFIXES: u32 = 1000;
/// The system ends at 4096 bytes, and a repository has paths of its own.
const LONGEST_PLACE: usize = 3584;

/// What is about to be made: chosen once, so that a second try makes the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Intent {
    pub(crate) directory: String,
    pub(super) branch: String,
    pub(super) base: String,
}

impl Step<'_> {
    /// Chooses directory, branch and base for a task's first worktree (T-24, W-3).
    pub(super) async fn plan_workspace(&self, repo: &Repo) -> Result<Intent, Failure> {
        let (engine, task) = (self.engine, &self.task);
        let (row, worker) = tokio::try_join!(engine.repo_row(task), engine.worker_of(task))?;
        engine.refresh_target(task, &row, repo).await?;
        let base = match engine.given_base(task, repo).await? {
            Some(base) => base,
            None => target_in(task, &row, repo).await?.1,
        };
        let templates = Templates::of(&self.project.settings)
            .map_err(|error| Failure::workspace(error.to_string()))?;
        let words = Words::of(task, &self.project.slug, &worker, engine.now());
        let wanted = templates.branch(task.kind).render(&words);
        let branch = engine.free_branch(repo, &wanted).await?;
        let directory = engine.free_directory(&templates.directory_name(&words))?;
        Ok(Intent {
            directory: directory.to_string(),
            branch: branch.to_string(),
            base: base.to_string(),
        })
    }
}

impl Engine {
    /// Who works on it, by name.
    async fn worker_of(&self, task: &Snapshot) -> Result<String, Failure> {
        let Some(run) = &task.run else { return Ok(String::new()) };
        let name = match (run.assignee.agent(), run.assignee.user()) {
            (Some(agent), _) => tables::agents::load(&self.0.db, agent).await?.map(|row| row.name),
            (None, Some(user)) => tables::users::load(&self.0.db, user).await?.map(|row| row.name),
            (None, None) => None,
        };
        Ok(name.unwrap_or_default())
    }

    /// A branch name that git can take: a clash gets a suffix, never an error (T-24). The suffix goes to the part that
    /// clashes, since `feat/x-2` would meet the branch `feat` just as `feat/x` did.
    async fn free_branch(&self, repo: &Repo, wanted: &str) -> Result<BranchName, Failure> {
        let valid = |name: String| {
            BranchName::new(name).map_err(|error| Failure::workspace(error.to_string()))
        };
        // What is settled already, and the part whose clash is being solved.
        let (mut head, mut tail) = (wanted.to_owned(), String::new());
        let mut suffix = 1;
        while suffix < MOST_SUFFIXES {
            let numbered = if suffix == 1 { head.clone() } else { format!("{head}-{suffix}") };
            let branch = valid(format!("{numbered}{tail}"))?;
            match repo.clash(&branch).await? {
                None => return Ok(branch),
                Some(Clash::Under(above)) if numbered != above.as_str() => {
                    let name = branch.as_str();
                    tail = name.get(above.as_str().len()..).unwrap_or_default().to_owned();
                    above.as_str().clone_into(&mut head);
                    suffix = 2;
                }
                Some(Clash::Taken) if !tail.is_empty() => {
                    // The directory is free; now the branch itself is the one in the way.
                    branch.as_str().clone_into(&mut head);
                    tail.clear();
                    suffix = 2;
                }
                Some(Clash::Under(_) | Clash::Taken) => suffix += 1,
            }
        }
        Err(Failure::workspace(format!("a thousand branches are called {wanted}; delete some")))
    }

    /// A directory where nothing is: the template's own uniqueness is a matter of luck, this is not (W-3).
    fn free_directory(&self, wanted: &str) -> Result<DirectoryName, Failure> {
        let length = self.0.root.path().as_os_str().len() + wanted.len();
        if length > LONGEST_PLACE {
            return Err(Failure::workspace(format!(
                "a workspace's path would be {length} bytes long, which leaves no room for files in it; start the \
                 server with a shorter --workspace-root (FORGE_WORKSPACE_ROOT)"
            )));
        }
        for suffix in 1..MOST_SUFFIXES {
            let name = if suffix == 1 { wanted.to_owned() } else { format!("{wanted}-{suffix}") };
            let name =
                DirectoryName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
            let free = |root: &WorkspaceRoot| root.directory(&name).symlink_metadata().is_err();
            if free(&self.0.root) && free(&self.0.root.leaving()) {
                return Ok(name);
            }
        }
        Err(Failure::workspace(format!("a thousand workspaces are called {wanted}; remove some")))
    }
}
