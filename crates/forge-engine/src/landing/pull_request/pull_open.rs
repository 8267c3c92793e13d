//! Opens a task's pull request, or finds the existing one (M-16). A lost answer does not lead to a second pull request.

use crate::effects::{EffectContext, EffectError};
use crate::landing::land::LandingContext;
use crate::landing::pull_request::github_remote::{GitHubRemote, github_error};
use crate::landing::pull_request::pull_watch::{PullRequestWatch, PullRequests};
use crate::landing::train::LandingCandidate;
use forge_domain::task::PullRequestState;
use forge_git::ObjectId;
use forge_github::{GitHubError, GitHubPull, GitHubPullState, GitHubPullText};

/// Below GitHub's own limits.
const LONGEST_TITLE: usize = 240;
const LONGEST_BODY: usize = 60_000;

impl PullRequests {
    /// Returns the recorded pull request if another client already merged this commit.
    pub(crate) async fn find_merged_pull(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        head: &ObjectId,
    ) -> Result<Option<GitHubPull>, EffectError> {
        let known = effect.task.pull_request.as_ref();
        let Some(known) = known.filter(|known| known.head == head.as_str()) else {
            return Ok(None);
        };
        let asked = github_remote
            .github
            .fetch_pull(&github_remote.repository, known.number, github_remote.token())
            .await;
        match asked {
            Ok(pull) if pull.base != landing.target.as_str() => Ok(None),
            Ok(pull) => {
                Ok(Some(pull).filter(|pull| matches!(pull.state, GitHubPullState::Merged(_))))
            }
            // The repository was recreated; its numbers mean other pull requests.
            Err(GitHubError::Refused { status: 404, .. })
                if known.state != PullRequestState::Merged =>
            {
                Ok(None)
            }
            Err(error) => Err(github_error(effect, github_remote, error)),
        }
    }

    /// Opens or updates the pull request, and journals its number.
    pub(crate) async fn open_pull(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        github_remote: &GitHubRemote,
        candidate: &LandingCandidate,
    ) -> Result<(PullRequestWatch, GitHubPull), EffectError> {
        let GitHubRemote { github, repository, .. } = github_remote;
        let token = github_remote.token();
        let into_effect_error = |error| github_error(effect, github_remote, error);
        let between = (landing.branch.as_str(), landing.target.as_str());
        let text = pull_text(effect, candidate);
        let found =
            github.find_pull(repository, between, token).await.map_err(into_effect_error)?;
        let pull = match found {
            Some(pull) if pull.title == text.title && pull.body == text.body => pull,
            Some(pull) => {
                let updated = github.update_pull(repository, pull.number, &text, token).await;
                effect.pass_fault_point("pull.updated").await?;
                updated.map_err(into_effect_error)?
            }
            None => {
                let opened = github.open_pull(repository, between, &text, token).await;
                effect.pass_fault_point("pull.opened").await?;
                match opened {
                    Err(error @ GitHubError::Refused { status: 422, .. }) => {
                        // Another client may have opened it in this moment.
                        let found = github.find_pull(repository, between, token).await;
                        found.map_err(into_effect_error)?.ok_or_else(|| into_effect_error(error))?
                    }
                    opened => opened.map_err(into_effect_error)?,
                }
            }
        };
        let watch = PullRequestWatch {
            pull_request: pull.number,
            head: candidate.head.to_string(),
            since: self.clock.now().millis(),
            merging: false,
        };
        effect.journal_intent(&watch).await?;
        effect.pass_fault_point("pull.journalled").await?;
        Ok((watch, pull))
    }
}

fn pull_text(effect: &EffectContext, candidate: &LandingCandidate) -> GitHubPullText {
    let text = commit_text(effect, candidate);
    let reference = format!("Forge task {}\n\n", effect.task.key());
    let body = match text.body.strip_suffix(&candidate.trailers) {
        Some(description) => {
            let room = LONGEST_BODY.saturating_sub(candidate.trailers.len() + reference.len());
            let description = shortened(description.trim_end(), room);
            let gap = if description.is_empty() { "" } else { "\n\n" };
            format!("{description}{gap}{reference}{}", candidate.trailers)
        }
        None => shortened(&text.body, LONGEST_BODY),
    };
    // GitHub strips trailing white space; without it the texts would always differ.
    GitHubPullText { title: text.title, body: body.trim_end().to_owned() }
}

/// Title and body of the landed commit.
pub(crate) fn commit_text(effect: &EffectContext, candidate: &LandingCandidate) -> GitHubPullText {
    let (title, body) = candidate.message.split_once("\n\n").unwrap_or((&candidate.message, ""));
    let suffix = format!(" ({})", effect.task.key());
    let title = title.strip_suffix(&suffix).unwrap_or(title);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = format!("{}{suffix}", shortened(&title, LONGEST_TITLE - suffix.len()));
    GitHubPullText { title, body: body.to_owned() }
}

fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    format!("{}…", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn m_16_a_text_that_github_would_not_take_is_cut_between_characters() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("ääääää", 8), "ää…");
        assert!(shortened(&"ä".repeat(100), 9).len() <= 9);
    }
}
