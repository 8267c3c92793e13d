use http::Method;
use serde::Deserialize;

use crate::error::GitHubError;
use crate::github::GitHub;
use crate::repository::Repository;

/// Check runs carry what they said: a page of more would not fit into one answer.
const PER_PAGE: usize = 50;
/// More than GitHub keeps for one commit.
const MOST_PAGES: usize = 40;

/// What GitHub's checks say about a commit: its statuses and its check runs together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checks {
    /// There are none, or none yet.
    None,
    /// None has failed, and some are not over.
    Pending,
    /// All are over and none has failed.
    Passed,
    /// These have failed; others may not be over.
    Failed(Vec<FailedCheck>),
}

/// A check that has failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCheck {
    /// Its name, as branch protection knows it.
    pub name: String,
    /// Where its log is.
    pub url: Option<String>,
}

#[derive(Deserialize)]
struct StatusPage {
    total_count: usize,
    statuses: Vec<Status>,
}

#[derive(Deserialize)]
struct Status {
    context: String,
    state: StatusState,
    target_url: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum StatusState {
    Success,
    Pending,
    /// Failure, error, and what may be invented.
    #[serde(other)]
    Failed,
}

#[derive(Deserialize)]
struct RunPage {
    total_count: usize,
    check_runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    name: String,
    status: RunStatus,
    conclusion: Option<Conclusion>,
    html_url: Option<String>,
    details_url: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum RunStatus {
    Completed,
    /// Queued, waiting, requested, in progress.
    #[serde(other)]
    Open,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Conclusion {
    Success,
    Neutral,
    Skipped,
    /// Failed, cancelled, timed out, waiting for a person's action.
    #[serde(other)]
    Failed,
}

/// What has been seen so far.
#[derive(Default)]
struct Seen {
    any: bool,
    open: bool,
    failed: Vec<FailedCheck>,
}

impl Seen {
    fn status(&mut self, status: Status) {
        self.any = true;
        match status.state {
            StatusState::Success => {}
            StatusState::Pending => self.open = true,
            StatusState::Failed => {
                self.failed.push(FailedCheck { name: status.context, url: status.target_url });
            }
        }
    }

    fn run(&mut self, run: Run) {
        self.any = true;
        match (run.status, run.conclusion) {
            (
                RunStatus::Completed,
                Some(Conclusion::Success | Conclusion::Neutral | Conclusion::Skipped),
            ) => {}
            (RunStatus::Open, _) => self.open = true,
            (RunStatus::Completed, _) => {
                let url = run.html_url.or(run.details_url);
                self.failed.push(FailedCheck { name: run.name, url });
            }
        }
    }

    fn verdict(self) -> Checks {
        match self {
            Self { failed, .. } if !failed.is_empty() => Checks::Failed(failed),
            Self { open: true, .. } => Checks::Pending,
            Self { any: true, .. } => Checks::Passed,
            Self { .. } => Checks::None,
        }
    }
}

impl GitHub {
    /// What the checks say about a commit, asked with this token.
    pub async fn checks_of(
        &self,
        repository: &Repository,
        commit: &str,
        token: &str,
    ) -> Result<Checks, GitHubError> {
        if commit.is_empty() || !commit.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(GitHubError::Answer("what was asked about is no commit".to_owned()));
        }
        let base = format!("/repos/{repository}/commits/{commit}");
        let mut seen = Seen::default();
        let mut known = 0;
        for page in 1.. {
            let path = format!("{base}/status?per_page={PER_PAGE}&page={}", within(page)?);
            let found: StatusPage = self.call(Method::GET, &path, token, None).await?;
            let (here, total) = (found.statuses.len(), found.total_count);
            found.statuses.into_iter().for_each(|status| seen.status(status));
            known += here;
            if here == 0 || known >= total {
                break;
            }
        }
        known = 0;
        for page in 1.. {
            let path = format!("{base}/check-runs?per_page={PER_PAGE}&page={}", within(page)?);
            let found: RunPage = self.call(Method::GET, &path, token, None).await?;
            let (here, total) = (found.check_runs.len(), found.total_count);
            found.check_runs.into_iter().for_each(|run| seen.run(run));
            known += here;
            if here == 0 || known >= total {
                break;
            }
        }
        Ok(seen.verdict())
    }
}

fn within(page: usize) -> Result<usize, GitHubError> {
    if page > MOST_PAGES {
        return Err(GitHubError::Answer("a commit's checks never end".to_owned()));
    }
    Ok(page)
}
