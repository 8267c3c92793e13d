use http::Method;
use serde::Deserialize;

use crate::github_client::GitHubClient;
use crate::github_error::GitHubError;
use crate::github_repository::GitHubRepository;

/// Check runs contain their output: a larger page would exceed the answer limit.
const PER_PAGE: usize = 50;
/// More pages than GitHub keeps for one commit.
const MOST_PAGES: usize = 40;

/// The combined result of a commit's statuses and check runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitChecks {
    /// No checks exist, or not yet.
    None,
    /// No check has failed, and some have not finished.
    Pending,
    /// All checks have finished and none has failed.
    Passed,
    /// These checks have failed; others may not have finished.
    Failed(Vec<FailedCommitCheck>),
}

/// A failed check of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCommitCheck {
    /// The name, as in branch protection rules.
    pub name: String,
    /// The URL of its log.
    pub url: Option<String>,
}

#[derive(Deserialize)]
struct CommitStatusPage {
    total_count: usize,
    statuses: Vec<CommitStatus>,
}

#[derive(Deserialize)]
struct CommitStatus {
    context: String,
    state: CommitStatusState,
    target_url: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum CommitStatusState {
    Success,
    Pending,
    /// Failure, error, and values that GitHub may add later.
    #[serde(other)]
    Failed,
}

#[derive(Deserialize)]
struct CheckRunPage {
    total_count: usize,
    check_runs: Vec<CheckRun>,
}

#[derive(Deserialize)]
struct CheckRun {
    name: String,
    status: CheckRunStatus,
    conclusion: Option<CheckRunConclusion>,
    html_url: Option<String>,
    details_url: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum CheckRunStatus {
    Completed,
    /// Queued, waiting, requested, in progress.
    #[serde(other)]
    Open,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum CheckRunConclusion {
    Success,
    Neutral,
    Skipped,
    /// Failed, cancelled, timed out, waiting for a user's action.
    #[serde(other)]
    Failed,
}

/// Collects the results of all pages.
#[derive(Default)]
struct CheckTally {
    any: bool,
    open: bool,
    failed: Vec<FailedCommitCheck>,
}

impl CheckTally {
    fn add_status(&mut self, status: CommitStatus) {
        self.any = true;
        match status.state {
            CommitStatusState::Success => {}
            CommitStatusState::Pending => self.open = true,
            CommitStatusState::Failed => {
                self.failed
                    .push(FailedCommitCheck { name: status.context, url: status.target_url });
            }
        }
    }

    fn add_check_run(&mut self, run: CheckRun) {
        self.any = true;
        match (run.status, run.conclusion) {
            (
                CheckRunStatus::Completed,
                Some(
                    CheckRunConclusion::Success
                    | CheckRunConclusion::Neutral
                    | CheckRunConclusion::Skipped,
                ),
            ) => {}
            (CheckRunStatus::Open, _) => self.open = true,
            (CheckRunStatus::Completed, _) => {
                let url = run.html_url.or(run.details_url);
                self.failed.push(FailedCommitCheck { name: run.name, url });
            }
        }
    }

    fn into_checks(self) -> CommitChecks {
        match self {
            Self { failed, .. } if !failed.is_empty() => CommitChecks::Failed(failed),
            Self { open: true, .. } => CommitChecks::Pending,
            Self { any: true, .. } => CommitChecks::Passed,
            Self { .. } => CommitChecks::None,
        }
    }
}

impl GitHubClient {
    /// Fetches the combined check result of a commit with this token.
    pub async fn fetch_checks(
        &self,
        repository: &GitHubRepository,
        commit: &str,
        token: &str,
    ) -> Result<CommitChecks, GitHubError> {
        if commit.is_empty() || !commit.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(GitHubError::UnexpectedAnswer(
                "the commit id is not a full hash".to_owned(),
            ));
        }
        let base = format!("/repos/{repository}/commits/{commit}");
        let mut seen = CheckTally::default();
        let mut known = 0;
        for page in 1.. {
            let path = format!("{base}/status?per_page={PER_PAGE}&page={}", checked_page(page)?);
            let found: CommitStatusPage = self.call(Method::GET, &path, token, None).await?;
            let (here, total) = (found.statuses.len(), found.total_count);
            found.statuses.into_iter().for_each(|status| seen.add_status(status));
            known += here;
            if here == 0 || known >= total {
                break;
            }
        }
        known = 0;
        for page in 1.. {
            let path =
                format!("{base}/check-runs?per_page={PER_PAGE}&page={}", checked_page(page)?);
            let found: CheckRunPage = self.call(Method::GET, &path, token, None).await?;
            let (here, total) = (found.check_runs.len(), found.total_count);
            found.check_runs.into_iter().for_each(|run| seen.add_check_run(run));
            known += here;
            if here == 0 || known >= total {
                break;
            }
        }
        Ok(seen.into_checks())
    }
}

fn checked_page(page: usize) -> Result<usize, GitHubError> {
    if page > MOST_PAGES {
        return Err(GitHubError::UnexpectedAnswer(
            "the list of the commit's checks is too long".to_owned(),
        ));
    }
    Ok(page)
}
