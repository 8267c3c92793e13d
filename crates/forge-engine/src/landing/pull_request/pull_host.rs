//! The GitHub repository of a task's pull request, and the errors of its API (M-16).

use crate::effects::{EffectContext, EffectError};
use crate::landing::publish::{PushRemote, wait_for_url};
use crate::landing::pull_request::pull_watch::PullRequests;
use forge_domain::task::AnnotationType;
use forge_git::AccessToken;
use forge_github::{GitHubClient, GitHubError, GitHubRepository};
use serde_json::json;

/// A repository on GitHub with its git remote, API client and token.
#[derive(Debug)]
pub(crate) struct PullHost {
    pub(crate) push_remote: PushRemote,
    pub(crate) github: GitHubClient,
    pub(crate) repository: GitHubRepository,
    token: AccessToken,
}

impl PullHost {
    pub(crate) fn token(&self) -> &str {
        self.token.secret()
    }

    fn url(&self) -> String {
        self.push_remote.remote.url().to_string()
    }
}

impl PullRequests {
    /// Returns the pull request's host, or an error that says why push_remote is none.
    pub(crate) async fn pull_host(&self, effect: &EffectContext) -> Result<PullHost, EffectError> {
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
                return Err(refused(
                    &url,
                    "auth",
                    "push_remote is no token for GitHub's API",
                    next,
                ));
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
        Ok(PullHost { push_remote, github, repository, token })
    }
}

/// Converts a GitHub error: a transient one waits, any other needs a person.
pub(crate) fn github_error(
    effect: &EffectContext,
    host: &PullHost,
    error: GitHubError,
) -> EffectError {
    if error.is_transient() {
        return wait_for_url(effect, host.url(), error.to_string());
    }
    let kind = match &error {
        GitHubError::Refused { status: 401 | 403, .. } | GitHubError::NoApp => "auth",
        GitHubError::Refused { status: 404, .. } => "address",
        _ => "rejected",
    };
    let next = format!("{}, then move the task back", error.next_step());
    refused(&host.url(), kind, &error.to_string(), &next)
}

/// The error for a request that GitHub rejected.
pub(crate) fn github_rejected(host: &PullHost, said: &str, next: &str) -> EffectError {
    refused(&host.url(), "rejected", said, next)
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
