//! A repository's pull requests (M-16): on GitHub, whether git uses https or ssh.

use crate::admin::project::Projects;
use crate::command::errors::EngineError;
use crate::remote::access::{AccessError, Remotes};
use forge_domain::ProjectId;
use forge_domain::project::LandingMode;
use forge_git::{AccessToken, RemoteCredentials, RemoteUrl};
use forge_github::GitHubRepository;
use forge_store::StoreError;
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::repo_remotes;
use forge_store::tables::repos::{self, RepoRow};

/// The name of a repository on GitHub, if it is there.
fn github_repository_name(url: &RemoteUrl, github: &str) -> Option<GitHubRepository> {
    if let Some(origin) = url.origin() {
        let path = url.as_str().strip_prefix(origin)?;
        return (origin == github).then(|| GitHubRepository::of_path(path)).flatten();
    }
    let (_, place) = github.split_once("://")?;
    let host = place.split(':').next()?;
    let (there, path) = match url.as_str().split_once("://") {
        Some(("ssh", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        None => url.as_str().split_once(':')?,
    };
    let there = there.rsplit('@').next()?.split(':').next()?;
    (there == host).then(|| GitHubRepository::of_path(path)).flatten()
}

impl Remotes {
    /// The GitHub name of the repository that landings are pushed to.
    pub(crate) async fn github_repository(
        &self,
        row: &RepoRow,
    ) -> Result<Option<GitHubRepository>, StoreError> {
        let said = repo_remotes::load(&self.db, row.id).await?;
        let pushes = said.as_ref().and_then(|said| said.push).unwrap_or(row.url.is_some());
        let url = row.url.as_deref().or(said.as_ref().and_then(|said| said.url.as_deref()));
        let url = url.filter(|_| pushes).and_then(|url| RemoteUrl::new(url).ok());
        Ok(url.and_then(|url| github_repository_name(&url, &self.remote_settings.github_url)))
    }

    /// The token for GitHub's API, by the same order as for git over https.
    pub(crate) async fn api_token(
        &self,
        row: &RepoRow,
        project: &ProjectRow,
        repository: &GitHubRepository,
    ) -> Result<Option<AccessToken>, AccessError> {
        let said = repo_remotes::load(&self.db, row.id).await?;
        let url = format!("{}/{repository}.git", self.remote_settings.github_url);
        let remote = self.build_remote(Some(&url), row, project, said.as_ref()).await?;
        Ok(remote.and_then(|remote| match remote.credentials() {
            RemoteCredentials::Token(token) => Some(token.clone()),
            RemoteCredentials::Anonymous | RemoteCredentials::SshAgent(_) => None,
        }))
    }
}

impl Projects {
    /// Refuses pull requests if none of the project's repositories is on GitHub; a project without repositories may get
    /// one later.
    pub(crate) async fn check_merge_mode(
        &self,
        project: ProjectId,
        mode: LandingMode,
    ) -> Result<(), EngineError> {
        if mode == LandingMode::Direct {
            return Ok(());
        }
        let rows = repos::list_of_project(&self.db, project).await?;
        for row in &rows {
            if self.remotes.github_repository(row).await?.is_some() {
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
            github_repository_name(&url, github).map(|repository| repository.to_string())
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
