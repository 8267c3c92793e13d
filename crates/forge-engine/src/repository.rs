//! Repositories that Forge makes itself, and what has landed in one.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::RepoId;
use forge_git::{BranchName, FirstFile, Person, Repo, Signature};
use forge_store::tables;
use std::path::Path;

impl Engine {
    /// Makes a repository where nothing was, with these files in one first commit.
    pub async fn found_repository(
        &self,
        path: &Path,
        branch: &str,
        files: &[FirstFile],
        message: &str,
    ) -> Result<(), EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let forge =
            Person::new("Forge", "forge@localhost").map_err(|error| unusable(error.to_string()))?;
        let branch = BranchName::new(branch).map_err(|error| unusable(error.to_string()))?;
        let signature =
            Signature { author: forge.clone(), committer: forge, at: self.now().millis() / 1000 };
        Repo::init_with(&self.0.git, path, &branch, files, message, &signature)
            .await
            .map(drop)
            .map_err(|error| unusable(error.to_string()))
    }

    /// The last commits of a repository's default branch, drawn as `git log --oneline --graph` does.
    pub async fn history(&self, repo: RepoId, most: u32) -> Result<Vec<String>, EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let row = tables::repos::load(self.db(), repo).await?;
        let path = row.and_then(|row| row.path).ok_or_else(|| EngineError::NotFound {
            noun: "repository on this machine",
            id: repo.to_string(),
        })?;
        let repo = Repo::open(&self.0.git, Path::new(&path))
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let branch = repo.default_branch().await.map_err(|error| unusable(error.to_string()))?;
        repo.log_lines(&branch, most).await.map_err(|error| unusable(error.to_string()))
    }
}
