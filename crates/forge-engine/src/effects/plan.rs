//! What a task's workspace will be called (T-24, W-3).

use super::Failure;
use crate::engine::Engine;
use forge_domain::task::Snapshot;
use forge_git::{BranchName, Repo};
use forge_store::tables;
use serde::{Deserialize, Serialize};

const LONGEST_BOARD: usize = 40;

/// What is about to be made: chosen once, so that a second try makes the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Intent {
    pub(super) directory: String,
    pub(super) branch: String,
    pub(super) base: String,
}

impl Engine {
    /// Chooses directory, branch and base for a task's first worktree (T-24, W-3).
    pub(super) async fn plan_workspace(
        &self,
        task: &Snapshot,
        repo: &Repo,
    ) -> Result<Intent, Failure> {
        let base = match self.given_base(task, repo).await? {
            Some(base) => base,
            None => self.target_of(task, repo).await?.1,
        };
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
