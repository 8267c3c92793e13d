//! Where a task's pull request is, and what is said when that place does not do as asked (M-16).

use super::Failure;
use super::perform::Step;
use super::publish::Elsewhere;
use forge_domain::task::AnnotationType;
use forge_git::Token;
use forge_github::{GitHub, GitHubError, Repository};
use serde_json::json;

/// A repository on GitHub, with what opens it to git and to its API.
#[derive(Debug)]
pub(super) struct PullHost {
    pub(super) there: Elsewhere,
    pub(super) github: GitHub,
    pub(super) repository: Repository,
    token: Token,
}

impl PullHost {
    pub(super) fn token(&self) -> &str {
        self.token.secret()
    }

    fn url(&self) -> String {
        self.there.remote.url().to_string()
    }
}

impl Step<'_> {
    /// Where the pull request of this task is; told plainly where there can be none.
    pub(super) async fn pull_host(&self) -> Result<PullHost, Failure> {
        let row = self.engine.repo_row(&self.task).await?;
        let Some(repository) = self.engine.github_repository(&row).await? else {
            return Err(unavailable(&row.name));
        };
        let Some(there) = self.elsewhere().await? else { return Err(unavailable(&row.name)) };
        let url = there.remote.url().to_string();
        let token = match self.engine.api_token(&row, &repository).await {
            Ok(Some(token)) => token,
            Ok(None) => {
                let next = "set GITHUB_TOKEN, give the repository a token or name an installation of the GitHub App, then move the task back";
                return Err(refused(&url, "auth", "there is no token for GitHub's API", next));
            }
            Err(error) if error.is_passing() => {
                return Err(self.waits_for(url, error.to_string()));
            }
            Err(error) => {
                let next = "put it right, then move the task back";
                return Err(refused(&url, "auth", &error.to_string(), next));
            }
        };
        let github = self.engine.0.limits.remotes.github.clone();
        Ok(PullHost { there, github, repository, token })
    }

    /// GitHub gave no answer that can be used: it is waited for, or a person is told what to do.
    pub(super) fn unheard(&self, host: &PullHost, error: GitHubError) -> Failure {
        if error.is_passing() {
            return self.waits_for(host.url(), error.to_string());
        }
        let kind = match &error {
            GitHubError::Refused { status: 401 | 403, .. } | GitHubError::NoApp => "auth",
            GitHubError::Refused { status: 404, .. } => "address",
            _ => "rejected",
        };
        let next = format!("{}, then move the task back", error.next_step());
        refused(&host.url(), kind, &error.to_string(), &next)
    }

    /// GitHub understood, and says no.
    pub(super) fn said_no(&self, host: &PullHost, said: &str, next: &str) -> Failure {
        refused(&host.url(), "rejected", said, next)
    }
}

fn unavailable(repo: &str) -> Failure {
    let next = "set merge.mode to direct, or push the repository to GitHub (github_url), then move the task back";
    let message = format!(
        "the project lands by pull requests, and what lands in {repo} is not pushed to GitHub; {next}"
    );
    Failure::Final {
        trouble: AnnotationType::PullRequestUnavailable,
        message,
        details: json!({ "repo": repo, "next_step": next }),
    }
}

fn refused(url: &str, kind: &str, said: &str, next: &str) -> Failure {
    Failure::Final {
        trouble: AnnotationType::PullRequestFailed,
        message: format!("no pull request at {url}: {said}; {next}"),
        details: json!({ "kind": kind, "url": url, "message": said, "next_step": next }),
    }
}
