//! Makes a task's worktree, or finds it again (W-2, W-8).

use super::perform::Step;
use super::{Failure, Outcome};
use crate::engine::Engine;
use forge_domain::task::{AnnotationType, Snapshot, Workspace, WorkspaceStatus};
use forge_domain::{ExecutionId, Report};
use forge_git::{
    AddError, BranchName, DirectoryName, HeldWorktree, ObjectId, Repo, WorkspaceHold,
    WorktreeBranch,
};
use forge_store::tables;
use serde::{Deserialize, Serialize};

const MOST_CLASHES: u32 = 5;
const LONGEST_BOARD: usize = 40;

/// What is about to be made: chosen once, so that a second try makes the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Intent {
    directory: String,
    branch: String,
    base: String,
}

impl Step<'_> {
    pub(super) async fn prepare_workspace(
        &self,
        execution: ExecutionId,
    ) -> Result<Outcome, Failure> {
        let repo = self.engine.repo_of(&self.task).await?;
        let workspace = match &self.task.workspace {
            Some(known) => self.found_again(&repo, known).await?,
            None => self.made(&repo).await?,
        };
        Ok(Outcome::Report(Report::WorkspaceReady { execution, workspace }))
    }

    async fn found_again(&self, repo: &Repo, known: &Workspace) -> Result<Workspace, Failure> {
        self.usable_worktree(repo).await?;
        Ok(Workspace { status: WorkspaceStatus::Ready, ..known.clone() })
    }

    async fn made(&self, repo: &Repo) -> Result<Workspace, Failure> {
        let mut planned = self.journalled::<Intent>();
        for _ in 0..MOST_CLASHES {
            let intent = match planned.take() {
                Some(intent) => intent,
                None => {
                    let intent = self.engine.plan_workspace(&self.task, repo).await?;
                    self.engine.journal(self.claimed, &intent).await?;
                    intent
                }
            };
            self.reach("workspace.planned").await?;
            match self.add(repo, &intent).await? {
                Some(workspace) => {
                    self.reach("workspace.added").await?;
                    return Ok(workspace);
                }
                // Another board of the same repository took the name in this moment (T-24).
                None => tracing::info!(branch = intent.branch, "taken meanwhile; choosing another"),
            }
        }
        Err(Failure::Passing("no free branch name could be held; trying again".to_owned()))
    }

    /// Makes what was planned; none if somebody else has the branch.
    async fn add(&self, repo: &Repo, intent: &Intent) -> Result<Option<Workspace>, Failure> {
        let broken = |error: String| Failure::workspace(error);
        let name = DirectoryName::new(intent.directory.clone())
            .map_err(|error| broken(error.to_string()))?;
        let branch =
            BranchName::new(intent.branch.clone()).map_err(|error| broken(error.to_string()))?;
        let base = ObjectId::new(intent.base.clone()).map_err(|error| broken(error.to_string()))?;
        let inner = &self.engine.0;
        let wanted = match repo.tip(&branch).await? {
            Some(_) => WorktreeBranch::Existing(branch.clone()),
            None => WorktreeBranch::New { name: branch.clone(), base: base.clone() },
        };
        let hold = self.hold(&name).await?;
        let worktree = match repo.add_worktree(&inner.repo_locks, &hold, &wanted).await {
            Ok(worktree) => worktree,
            Err(AddError::CheckedOut { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Workspace {
            path: worktree.path().to_string_lossy().into_owned(),
            branch: branch.to_string(),
            base: base.to_string(),
            status: WorkspaceStatus::Ready,
        }))
    }
}

impl Engine {
    /// Chooses directory, branch and base for a task's first worktree (T-24, W-3).
    async fn plan_workspace(&self, task: &Snapshot, repo: &Repo) -> Result<Intent, Failure> {
        let (_, base) = self.target_of(task, repo).await?;
        let project = tables::projects::load(&self.0.db, task.project_id).await?;
        let board = project.map_or_else(|| "project".to_owned(), |project| project.slug);
        let slug = slug(&task.title);
        let branch = self.free_branch(repo, &format!("forge/{}-{slug}", task.number)).await?;
        // The end of the id makes it unique whatever board and title look like (W-3).
        let id = task.id.to_string();
        let tail = id.get(id.len().saturating_sub(8)..).unwrap_or(&id);
        let board: String = board.chars().take(LONGEST_BOARD).collect();
        Ok(Intent {
            directory: format!("{board}-{}-{slug}-{tail}", task.number),
            branch: branch.to_string(),
            base: base.to_string(),
        })
    }

    /// A branch name that is not taken: a clash gets a suffix, never an error (T-24).
    async fn free_branch(&self, repo: &Repo, wanted: &str) -> Result<BranchName, Failure> {
        for attempt in 1..1000 {
            let name = if attempt == 1 { wanted.to_owned() } else { format!("{wanted}-{attempt}") };
            let branch =
                BranchName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
            if repo.tip(&branch).await?.is_none() {
                return Ok(branch);
            }
        }
        Err(Failure::workspace(format!("a thousand branches are called {wanted}; delete some")))
    }

    /// Makes a worktree that is gone once more, from its branch.
    pub(crate) async fn rebuild(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        branch: &BranchName,
    ) -> Result<HeldWorktree, Failure> {
        if repo.tip(branch).await?.is_none() {
            return Err(Failure::of(
                AnnotationType::WorkspaceResetRequired,
                format!(
                    "the worktree and its branch {branch} are gone; reset the workspace to start afresh"
                ),
            ));
        }
        let wanted = WorktreeBranch::Existing(branch.clone());
        Ok(repo.add_worktree(&self.0.repo_locks, hold, &wanted).await?)
    }
}

/// A title as part of a branch or directory name: short, lower case, one dash between words.
fn slug(title: &str) -> String {
    const LONGEST: usize = 40;
    let mut slug = String::new();
    for symbol in title.chars() {
        if symbol.is_ascii_alphanumeric() {
            slug.push(symbol.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= LONGEST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "task".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn t_24_titles_become_harmless_names() {
        assert_eq!(slug("Add rate limiting!"), "add-rate-limiting");
        assert_eq!(slug("--force ../../etc"), "force-etc");
        assert_eq!(slug("日本語"), "task");
        assert!(slug(&"x".repeat(500)).len() <= 40);
    }
}
