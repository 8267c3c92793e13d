//! Where a repository's pull requests are (M-16): on GitHub, whichever way git reaches it.

use super::access::AccessError;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::train::{MergeMode, MergeSettings};
use forge_domain::ProjectId;
use forge_git::{Access, RemoteUrl, Token};
use forge_github::Repository;
use forge_store::StoreError;
use forge_store::tables::repo_remotes;
use forge_store::tables::repos::{self, Repo};

/// What a repository is called on GitHub, if it is there.
fn on_github(url: &RemoteUrl, github: &str) -> Option<Repository> {
    if let Some(origin) = url.origin() {
        let path = url.as_str().strip_prefix(origin)?;
        return (origin == github).then(|| Repository::of_path(path)).flatten();
    }
    let (_, place) = github.split_once("://")?;
    let host = place.split(':').next()?;
    let (there, path) = match url.as_str().split_once("://") {
        Some(("ssh", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        None => url.as_str().split_once(':')?,
    };
    let there = there.rsplit('@').next()?.split(':').next()?;
    (there == host).then(|| Repository::of_path(path)).flatten()
}

impl Engine {
    /// What a repository is called where its landings are pushed, if that is on GitHub.
    pub(crate) async fn github_repository(
        &self,
        row: &Repo,
    ) -> Result<Option<Repository>, StoreError> {
        let said = repo_remotes::load(&self.0.db, row.id).await?;
        let pushes = said.as_ref().and_then(|said| said.push).unwrap_or(row.url.is_some());
        let url = row.url.as_deref().or(said.as_ref().and_then(|said| said.url.as_deref()));
        let url = url.filter(|_| pushes).and_then(|url| RemoteUrl::new(url).ok());
        Ok(url.and_then(|url| on_github(&url, &self.0.limits.remotes.github_url)))
    }

    /// The token that opens GitHub's API for a repository, in the order that counts for git over https too.
    pub(crate) async fn api_token(
        &self,
        row: &Repo,
        repository: &Repository,
    ) -> Result<Option<Token>, AccessError> {
        let said = repo_remotes::load(&self.0.db, row.id).await?;
        let url = format!("{}/{repository}.git", self.0.limits.remotes.github_url);
        let remote = self.remote_at(Some(&url), row, said.as_ref()).await?;
        Ok(remote.and_then(|remote| match remote.access() {
            Access::Token(token) => Some(token.clone()),
            Access::Open | Access::Agent(_) => None,
        }))
    }

    /// Refuses pull requests for a project none of whose repositories can have any; one without repositories may get
    /// such a one yet.
    pub(crate) async fn check_merge_mode(
        &self,
        project: ProjectId,
        settings: &serde_json::Value,
    ) -> Result<(), EngineError> {
        if MergeSettings::of(settings)?.mode == MergeMode::Direct {
            return Ok(());
        }
        let rows = repos::list_of_project(&self.0.db, project).await?;
        for row in &rows {
            if self.github_repository(row).await?.is_some() {
                return Ok(());
            }
        }
        match rows.first() {
            None => Ok(()),
            Some(row) => Err(EngineError::PullRequestUnavailable { repo: row.name.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_16_pull_requests_are_on_github_however_git_gets_there() {
        let named = |url: &str, github: &str| {
            let url = RemoteUrl::new(url).unwrap();
            on_github(&url, github).map(|repository| repository.to_string())
        };
        let github = "https://github.com";
        for url in [
            "https://github.com/team/shop.git",
            "https://github.com/team/shop",
            "git@github.com:team/shop.git",
            "ssh://git@github.com/team/shop.git",
            "ssh://git@github.com:22/team/shop.git",
        ] {
            assert_eq!(named(url, github).as_deref(), Some("team/shop"), "{url}");
        }
        for url in [
            "https://github.com.example.org/team/shop.git",
            "http://github.com/team/shop.git",
            "https://github.com/shop.git",
            "git@example.org:team/shop.git",
            "file:///github.com/team/shop.git",
        ] {
            assert_eq!(named(url, github), None, "{url}");
        }
        let own = "https://git.example.org:8443";
        assert_eq!(named("git@git.example.org:a/b", own).as_deref(), Some("a/b"));
    }
}
