//! Repositories created by Forge, and their history.

use crate::admin::repo::Repos;
use crate::command::errors::EngineError;
use forge_domain::RepoId;
use forge_git::{BranchName, CommitIdentity, CommitSignature, InitialFile, Repo};
use forge_store::tables;
use std::path::Path;

impl Repos {
    /// Creates a repository in an empty place, with these files in its first commit.
    pub async fn found_repository(
        &self,
        path: &Path,
        branch: &str,
        files: &[InitialFile],
        message: &str,
    ) -> Result<(), EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let forge = CommitIdentity::new("Forge", "forge@localhost")
            .map_err(|error| unusable(error.to_string()))?;
        let branch = BranchName::new(branch).map_err(|error| unusable(error.to_string()))?;
        let signature = CommitSignature {
            author: forge.clone(),
            committer: forge,
            at: self.clock.now().millis() / 1000,
        };
        Repo::init_with(&self.git, path, &branch, files, message, &signature)
            .await
            .map(drop)
            .map_err(|error| unusable(error.to_string()))
    }

    /// The last commits of a repository's default branch, formatted like `git log --oneline --graph`.
    pub async fn history(&self, repo: RepoId, most: u32) -> Result<Vec<String>, EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let row = tables::repos::load(&self.db, repo).await?;
        let found = row.and_then(|row| Some((row.path?, row.default_branch)));
        let (path, branch) = found.ok_or_else(|| EngineError::NotFound {
            noun: "repository on this machine",
            id: repo.to_string(),
        })?;
        let repo = Repo::open(&self.git, Path::new(&path))
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let branch = BranchName::new(branch).map_err(|error| unusable(error.to_string()))?;
        repo.log_lines(&branch, most).await.map_err(|error| unusable(error.to_string()))
    }
}
