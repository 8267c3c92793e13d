use http::Method;
use serde::Deserialize;
use serde_json::json;

use crate::github_client::GitHubClient;
use crate::github_error::GitHubError;
use crate::github_repository::GitHubRepository;

/// A pull request as GitHub reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitHubPull {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub body: String,
    pub state: GitHubPullState,
    /// The tip of its branch, as far as the pull request knows.
    pub head: String,
    /// The branch that it targets.
    pub base: String,
}

/// State of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitHubPullState {
    Open(MergeableState),
    /// Closed without merging.
    Closed,
    /// Merged as this commit.
    Merged(String),
}

/// Whether an open pull request can be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeableState {
    /// Nothing blocks the merge.
    #[serde(alias = "has_hooks")]
    Clean,
    /// It can be merged; a check that is not required has not passed.
    Unstable,
    /// It has conflicts.
    Dirty,
    /// The branch rules are not satisfied yet: an approval or a required check is missing.
    Blocked,
    /// The branch rules require an update from the target first.
    Behind,
    Draft,
    /// GitHub has not determined it yet.
    #[serde(other)]
    Unknown,
}

/// How commits are merged into the branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    Squash,
    /// A commit with two parents.
    Merge,
    /// The same commits, rebased onto the target.
    Rebase,
}

/// Result of a merge request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergePullOutcome {
    /// It is merged, as this commit.
    Merged(String),
    /// The tip of the pull request's branch is not the given commit; nothing happened.
    HeadMoved,
    /// GitHub refused, with this message.
    Refused(String),
}

/// Title and text of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitHubPullText {
    pub title: String,
    pub body: String,
}

#[derive(Deserialize)]
struct ListedPull {
    number: u64,
}

#[derive(Deserialize)]
struct PullAnswer {
    number: u64,
    html_url: String,
    title: String,
    body: Option<String>,
    state: PullAnswerState,
    #[serde(default)]
    merged: bool,
    merge_commit_sha: Option<String>,
    #[serde(default)]
    draft: bool,
    mergeable_state: Option<MergeableState>,
    head: PullBranch,
    base: PullBranch,
}

#[derive(Deserialize)]
struct PullBranch {
    #[serde(rename = "ref")]
    name: String,
    sha: String,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum PullAnswerState {
    Open,
    #[serde(other)]
    Closed,
}

#[derive(Deserialize)]
struct MergedAnswer {
    sha: String,
}

impl From<PullAnswer> for GitHubPull {
    fn from(shown: PullAnswer) -> Self {
        let state = match (shown.state, shown.merged, shown.merge_commit_sha) {
            (_, true, Some(commit)) => GitHubPullState::Merged(commit),
            (PullAnswerState::Open, ..) if shown.draft => {
                GitHubPullState::Open(MergeableState::Draft)
            }
            (PullAnswerState::Open, ..) => {
                GitHubPullState::Open(shown.mergeable_state.unwrap_or(MergeableState::Unknown))
            }
            (PullAnswerState::Closed, ..) => GitHubPullState::Closed,
        };
        Self {
            number: shown.number,
            url: shown.html_url,
            title: shown.title,
            body: shown.body.unwrap_or_default(),
            state,
            head: shown.head.sha,
            base: shown.base.name,
        }
    }
}

impl MergeMethod {
    fn name(self) -> &'static str {
        match self {
            Self::Squash => "squash",
            Self::Merge => "merge",
            Self::Rebase => "rebase",
        }
    }
}

impl GitHubClient {
    /// The open pull request from one branch of the repository to another; there is at most one.
    pub async fn find_pull(
        &self,
        repository: &GitHubRepository,
        (head, base): (&str, &str),
        token: &str,
    ) -> Result<Option<GitHubPull>, GitHubError> {
        let (owner, head, base) = (repository.owner(), percent_encode(head), percent_encode(base));
        let path = format!("/repos/{repository}/pulls?state=open&head={owner}:{head}&base={base}");
        let found: Vec<ListedPull> = self.call(Method::GET, &path, token, None).await?;
        match found.first() {
            // The list does not contain the mergeable state.
            Some(listed) => self.fetch_pull(repository, listed.number, token).await.map(Some),
            None => Ok(None),
        }
    }

    /// Fetches one pull request.
    pub async fn fetch_pull(
        &self,
        repository: &GitHubRepository,
        number: u64,
        token: &str,
    ) -> Result<GitHubPull, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}");
        let shown: PullAnswer = self.call(Method::GET, &path, token, None).await?;
        Ok(shown.into())
    }

    /// Opens a pull request. GitHub refuses a second one for the same branches.
    pub async fn open_pull(
        &self,
        repository: &GitHubRepository,
        (head, base): (&str, &str),
        text: &GitHubPullText,
        token: &str,
    ) -> Result<GitHubPull, GitHubError> {
        let path = format!("/repos/{repository}/pulls");
        let asked = json!({ "head": head, "base": base, "title": text.title, "body": text.body });
        let shown: PullAnswer = self.call(Method::POST, &path, token, Some(asked)).await?;
        Ok(shown.into())
    }

    /// Changes title and text of a pull request.
    pub async fn update_pull(
        &self,
        repository: &GitHubRepository,
        number: u64,
        text: &GitHubPullText,
        token: &str,
    ) -> Result<GitHubPull, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}");
        let asked = json!({ "title": text.title, "body": text.body });
        let shown: PullAnswer = self.call(Method::PATCH, &path, token, Some(asked)).await?;
        Ok(shown.into())
    }

    /// Merges a pull request, if its branch is still at this commit.
    pub async fn merge_pull(
        &self,
        repository: &GitHubRepository,
        number: u64,
        head: &str,
        (method, message): (MergeMethod, &GitHubPullText),
        token: &str,
    ) -> Result<MergePullOutcome, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}/merge");
        let mut asked = json!({ "sha": head, "merge_method": method.name() });
        if method != MergeMethod::Rebase {
            asked["commit_title"] = message.title.as_str().into();
            asked["commit_message"] = message.body.as_str().into();
        }
        let merged: Result<MergedAnswer, _> =
            self.call(Method::PUT, &path, token, Some(asked)).await;
        match merged {
            Ok(done) => Ok(MergePullOutcome::Merged(done.sha)),
            Err(GitHubError::Refused { status: 409, .. }) => Ok(MergePullOutcome::HeadMoved),
            Err(GitHubError::Refused { status: 405, message }) => {
                Ok(MergePullOutcome::Refused(message))
            }
            Err(error) => Err(error),
        }
    }
}

/// Percent-encodes a query value.
fn percent_encode(text: &str) -> String {
    let mut coded = String::new();
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'.' | b'~' => {
                coded.push(char::from(byte));
            }
            byte => coded.push_str(&format!("%{byte:02X}")),
        }
    }
    coded
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_16_known_states_are_read_and_unknown_states_are_not_merged() {
        let shown = |state: &str, merged: bool, mergeable: &str, draft: bool| {
            let shown = json!({
                "number": 7, "html_url": "https://github.com/a/b/pull/7", "title": "T", "body": null,
                "state": state, "merged": merged, "merge_commit_sha": "c0ffee", "draft": draft,
                "mergeable_state": mergeable,
                "head": { "ref": "x", "sha": "aa" }, "base": { "ref": "main", "sha": "bb" },
            });
            GitHubPull::from(serde_json::from_value::<PullAnswer>(shown).unwrap()).state
        };
        assert_eq!(
            shown("closed", true, "unknown", false),
            GitHubPullState::Merged("c0ffee".to_owned())
        );
        assert_eq!(shown("closed", false, "dirty", false), GitHubPullState::Closed);
        for (word, mergeable) in [
            ("clean", MergeableState::Clean),
            ("has_hooks", MergeableState::Clean),
            ("behind", MergeableState::Behind),
            ("something_new", MergeableState::Unknown),
        ] {
            // An open pull request has the commit of a trial merge, which must be ignored.
            assert_eq!(shown("open", false, word, false), GitHubPullState::Open(mergeable));
        }
        assert_eq!(
            shown("open", false, "clean", true),
            GitHubPullState::Open(MergeableState::Draft)
        );
        assert_eq!(percent_encode("feat/ä b&c"), "feat%2F%C3%A4%20b%26c");
    }
}
