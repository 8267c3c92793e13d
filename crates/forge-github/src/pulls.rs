use http::Method;
use serde::Deserialize;
use serde_json::json;

use crate::error::GitHubError;
use crate::github::GitHub;
use crate::repository::Repository;

/// A pull request as GitHub shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pull {
    /// Its number in the repository.
    pub number: u64,
    /// Its page.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// How far it is.
    pub state: PullState,
    /// The commit its branch is at, as far as the pull request knows.
    pub head: String,
    /// The branch it is for.
    pub base: String,
}

/// How far a pull request is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullState {
    /// Open.
    Open(Mergeable),
    /// Closed without merging.
    Closed,
    /// The branch it is for has it, as this commit.
    Merged(String),
}

/// Whether an open pull request can be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mergeable {
    /// Nothing stands in the way.
    #[serde(alias = "has_hooks")]
    Clean,
    /// It can be; some check that is not required is not green.
    Unstable,
    /// It conflicts.
    Dirty,
    /// The rules of the branch are not kept yet: an approval or a required check is missing.
    Blocked,
    /// The rules of the branch want it brought up to date first.
    Behind,
    /// It is a draft.
    Draft,
    /// GitHub has yet to find out.
    #[serde(other)]
    Unknown,
}

/// How commits become part of the branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    /// One commit.
    Squash,
    /// A commit with two parents.
    Merge,
    /// The same commits, on top.
    Rebase,
}

/// What became of the wish to merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeAnswer {
    /// It is merged, as this commit.
    Merged(String),
    /// The branch of the pull request is not at the commit that was named; nothing happened.
    HeadMoved,
    /// Not now, or not this way; its words.
    Refused(String),
}

/// A pull request to be made, or what one is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullText {
    /// One line.
    pub title: String,
    /// Markdown.
    pub body: String,
}

#[derive(Deserialize)]
struct Listed {
    number: u64,
}

#[derive(Deserialize)]
struct Shown {
    number: u64,
    html_url: String,
    title: String,
    body: Option<String>,
    state: ShownState,
    #[serde(default)]
    merged: bool,
    merge_commit_sha: Option<String>,
    #[serde(default)]
    draft: bool,
    mergeable_state: Option<Mergeable>,
    head: Side,
    base: Side,
}

#[derive(Deserialize)]
struct Side {
    #[serde(rename = "ref")]
    name: String,
    sha: String,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum ShownState {
    Open,
    #[serde(other)]
    Closed,
}

#[derive(Deserialize)]
struct MergeDone {
    sha: String,
}

impl From<Shown> for Pull {
    fn from(shown: Shown) -> Self {
        let state = match (shown.state, shown.merged, shown.merge_commit_sha) {
            (_, true, Some(commit)) => PullState::Merged(commit),
            (ShownState::Open, ..) if shown.draft => PullState::Open(Mergeable::Draft),
            (ShownState::Open, ..) => {
                PullState::Open(shown.mergeable_state.unwrap_or(Mergeable::Unknown))
            }
            (ShownState::Closed, ..) => PullState::Closed,
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

impl GitHub {
    /// The open pull request from one branch of the repository to another; there is one at most.
    pub async fn find_pull(
        &self,
        repository: &Repository,
        (head, base): (&str, &str),
        token: &str,
    ) -> Result<Option<Pull>, GitHubError> {
        let (owner, head, base) = (repository.owner(), encoded(head), encoded(base));
        let path = format!("/repos/{repository}/pulls?state=open&head={owner}:{head}&base={base}");
        let found: Vec<Listed> = self.call(Method::GET, &path, token, None).await?;
        match found.first() {
            // A list does not say whether one can be merged.
            Some(listed) => self.pull(repository, listed.number, token).await.map(Some),
            None => Ok(None),
        }
    }

    /// A pull request.
    pub async fn pull(
        &self,
        repository: &Repository,
        number: u64,
        token: &str,
    ) -> Result<Pull, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}");
        let shown: Shown = self.call(Method::GET, &path, token, None).await?;
        Ok(shown.into())
    }

    /// Opens one. GitHub refuses a second for the same branches.
    pub async fn open_pull(
        &self,
        repository: &Repository,
        (head, base): (&str, &str),
        text: &PullText,
        token: &str,
    ) -> Result<Pull, GitHubError> {
        let path = format!("/repos/{repository}/pulls");
        let asked = json!({ "head": head, "base": base, "title": text.title, "body": text.body });
        let shown: Shown = self.call(Method::POST, &path, token, Some(asked)).await?;
        Ok(shown.into())
    }

    /// Changes what one says.
    pub async fn update_pull(
        &self,
        repository: &Repository,
        number: u64,
        text: &PullText,
        token: &str,
    ) -> Result<Pull, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}");
        let asked = json!({ "title": text.title, "body": text.body });
        let shown: Shown = self.call(Method::PATCH, &path, token, Some(asked)).await?;
        Ok(shown.into())
    }

    /// Merges one, if its branch is still at this commit.
    pub async fn merge_pull(
        &self,
        repository: &Repository,
        number: u64,
        head: &str,
        (method, message): (MergeMethod, &PullText),
        token: &str,
    ) -> Result<MergeAnswer, GitHubError> {
        let path = format!("/repos/{repository}/pulls/{number}/merge");
        let mut asked = json!({ "sha": head, "merge_method": method.name() });
        if method != MergeMethod::Rebase {
            asked["commit_title"] = message.title.as_str().into();
            asked["commit_message"] = message.body.as_str().into();
        }
        let merged: Result<MergeDone, _> = self.call(Method::PUT, &path, token, Some(asked)).await;
        match merged {
            Ok(done) => Ok(MergeAnswer::Merged(done.sha)),
            Err(GitHubError::Refused { status: 409, .. }) => Ok(MergeAnswer::HeadMoved),
            Err(GitHubError::Refused { status: 405, message }) => Ok(MergeAnswer::Refused(message)),
            Err(error) => Err(error),
        }
    }
}

/// As a part of a query.
fn encoded(text: &str) -> String {
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
    fn m_16_what_github_shows_is_read_and_what_it_may_invent_is_not_merged() {
        let shown = |state: &str, merged: bool, mergeable: &str, draft: bool| {
            let shown = json!({
                "number": 7, "html_url": "https://github.com/a/b/pull/7", "title": "T", "body": null,
                "state": state, "merged": merged, "merge_commit_sha": "c0ffee", "draft": draft,
                "mergeable_state": mergeable,
                "head": { "ref": "x", "sha": "aa" }, "base": { "ref": "main", "sha": "bb" },
            });
            Pull::from(serde_json::from_value::<Shown>(shown).unwrap()).state
        };
        assert_eq!(shown("closed", true, "unknown", false), PullState::Merged("c0ffee".to_owned()));
        assert_eq!(shown("closed", false, "dirty", false), PullState::Closed);
        for (word, mergeable) in [
            ("clean", Mergeable::Clean),
            ("has_hooks", Mergeable::Clean),
            ("behind", Mergeable::Behind),
            ("something_new", Mergeable::Unknown),
        ] {
            // An open one has a commit of a trial merge, which says nothing.
            assert_eq!(shown("open", false, word, false), PullState::Open(mergeable));
        }
        assert_eq!(shown("open", false, "clean", true), PullState::Open(Mergeable::Draft));
        assert_eq!(encoded("feat/ä b&c"), "feat%2F%C3%A4%20b%26c");
    }
}
