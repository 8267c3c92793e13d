//! The GitHub repository of a task's pull request, and the errors of its API (M-16).

use crate::effects::{EffectContext, EffectError};
use crate::landing::publish::{PushRemote, wait_for_url};
use crate::landing::pull_request::pull_watch::PullRequests;
use forge_domain::task::AnnotationType;
use forge_git::AccessToken;
use forge_github::{GitHubClient, GitHubError, GitHubRepository};
use serde_json::json;

/// The repository on GitHub that takes a task's pull requests: its git remote, and the client and token of its API.
#[derive(Debug)]
pub(crate) struct GitHubRemote {
    pub(crate) push_remote: PushRemote,
    pub(crate) github: GitHubClient,
    pub(crate) repository: GitHubRepository,
    token: AccessToken,
}

impl GitHubRemote {
    pub(crate) fn token(&self) -> &str {
        self.token.secret()
    }

    fn url(&self) -> String {
        self.push_remote.remote.url().to_string()
    }
}

impl PullRequests {
    /// The repository on GitHub to which the project's landings are pushed. Fails if there is none, or no token for it.
    pub(crate) async fn load_github_remote(
        &self,
        effect: &EffectContext,
    ) -> Result<GitHubRemote, EffectError> {
        let row = effect.repo_row()?;
        let Some(repository) = self.remotes.github_repository(row).await? else {
            return Err(unavailable(&row.name));
        };
        let Some(push_remote) = self.publisher.load_push_remote(effect).await? else {
            return Err(unavailable(&row.name));
        };
        let url = push_remote.remote.url().to_string();
        let token = match self.remotes.api_token(row, &effect.project, &repository).await {
            Ok(Some(token)) => token,
            Ok(None) => {
                let next = "set GITHUB_TOKEN, give the repository a token or name an installation of the GitHub App, then move the task back";
                return Err(refused(&url, "auth", "Forge has no token for GitHub's API", next));
            }
            Err(error) if error.is_transient() => {
                return Err(wait_for_url(effect, url, error.to_string()));
            }
            Err(error) => {
                let next = "put it right, then move the task back";
                return Err(refused(&url, "auth", &error.to_string(), next));
            }
        };
        let github = self.remote_settings.github.clone();
        Ok(GitHubRemote { push_remote, github, repository, token })
    }
}

/// Converts a GitHub error: a transient one waits, any other needs a person.
pub(crate) fn github_error(
    effect: &EffectContext,
    github_remote: &GitHubRemote,
    error: GitHubError,
) -> EffectError {
    if error.is_transient() {
        return wait_for_url(effect, github_remote.url(), error.to_string());
    }
    let kind = match &error {
        GitHubError::Refused { status: 401 | 403, .. } | GitHubError::NoApp => "auth",
        GitHubError::Refused { status: 404, .. } => "address",
        _ => "rejected",
    };
    let next = format!("{}, then move the task back", error.next_step());
    refused(&github_remote.url(), kind, &error.to_string(), &next)
}

/// The error for a request that GitHub rejected.
pub(crate) fn github_rejected(github_remote: &GitHubRemote, said: &str, next: &str) -> EffectError {
    refused(&github_remote.url(), "rejected", said, next)
}

fn unavailable(repo: &str) -> EffectError {
    let next = "set merge.mode to direct, or push the repository to GitHub (github_url), then move the task back";
    let message = format!(
        "the project lands by pull requests, and what lands in {repo} is not pushed to GitHub; {next}"
    );
    EffectError::NeedsPerson {
        trouble: AnnotationType::PullRequestUnavailable,
        message,
        details: json!({ "repo": repo, "next_step": next }),
    }
}

fn refused(url: &str, kind: &str, said: &str, next: &str) -> EffectError {
    EffectError::NeedsPerson {
        trouble: AnnotationType::PullRequestFailed,
        message: format!("no pull request at {url}: {said}; {next}"),
        details: json!({ "kind": kind, "url": url, "message": said, "next_step": next }),
    }
}
