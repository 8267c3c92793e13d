//! Opens the pull request of a task, or finds the one that is there (M-16). An answer that was lost is no reason for a
//! second one.

use super::Failure;
use super::land::Landing;
use super::perform::Step;
use super::pull::Watch;
use super::pull_host::PullHost;
use crate::train::Cargo;
use forge_domain::task::PullRequestState;
use forge_git::ObjectId;
use forge_github::{GitHubError, Pull, PullState, PullText};

/// GitHub's own limits, with room.
const LONGEST_TITLE: usize = 240;
const LONGEST_BODY: usize = 60_000;

impl Step<'_> {
    /// The one that was recorded, if it is merged with all of this in it: somebody was faster.
    pub(super) async fn merged_before(
        &self,
        landing: &Landing,
        host: &PullHost,
        head: &ObjectId,
    ) -> Result<Option<Pull>, Failure> {
        let known = self.task.pull_request.as_ref();
        let Some(known) = known.filter(|known| known.head == head.as_str()) else {
            return Ok(None);
        };
        let asked = host.github.pull(&host.repository, known.number, host.token()).await;
        match asked {
            Ok(pull) if pull.base != landing.target.as_str() => Ok(None),
            Ok(pull) => Ok(Some(pull).filter(|pull| matches!(pull.state, PullState::Merged(_)))),
            // A repository that was made anew: its numbers mean something else.
            Err(GitHubError::Refused { status: 404, .. })
                if known.state != PullRequestState::Merged =>
            {
                Ok(None)
            }
            Err(error) => Err(self.unheard(host, error)),
        }
    }

    /// Opens it or brings it up to date, and writes down which one it is.
    pub(super) async fn open_pull(
        &self,
        landing: &Landing,
        host: &PullHost,
        cargo: &Cargo,
    ) -> Result<(Watch, Pull), Failure> {
        let PullHost { github, repository, .. } = host;
        let token = host.token();
        let unheard = |error| self.unheard(host, error);
        let between = (landing.branch.as_str(), landing.target.as_str());
        let text = self.pull_text(cargo);
        let found = github.find_pull(repository, between, token).await.map_err(unheard)?;
        let pull = match found {
            Some(pull) if pull.title == text.title && pull.body == text.body => pull,
            Some(pull) => {
                let updated = github.update_pull(repository, pull.number, &text, token).await;
                self.reach("pull.updated").await?;
                updated.map_err(unheard)?
            }
            None => {
                let opened = github.open_pull(repository, between, &text, token).await;
                self.reach("pull.opened").await?;
                match opened {
                    Err(error @ GitHubError::Refused { status: 422, .. }) => {
                        // Somebody else may have opened it in this very moment.
                        let found = github.find_pull(repository, between, token).await;
                        found.map_err(unheard)?.ok_or_else(|| unheard(error))?
                    }
                    opened => opened.map_err(unheard)?,
                }
            }
        };
        let watch = Watch {
            pull_request: pull.number,
            head: cargo.head.to_string(),
            since: self.engine.now().millis(),
            merging: false,
        };
        self.engine.journal(self.claimed, &watch).await?;
        self.reach("pull.journalled").await?;
        Ok((watch, pull))
    }

    fn pull_text(&self, cargo: &Cargo) -> PullText {
        let text = self.commit_text(cargo);
        let reference = format!("Forge task {}\n\n", self.task.key());
        let body = match text.body.strip_suffix(&cargo.trailers) {
            Some(description) => {
                let room = LONGEST_BODY.saturating_sub(cargo.trailers.len() + reference.len());
                let description = shortened(description.trim_end(), room);
                let gap = if description.is_empty() { "" } else { "\n\n" };
                format!("{description}{gap}{reference}{}", cargo.trailers)
            }
            None => shortened(&text.body, LONGEST_BODY),
        };
        // GitHub takes the white space at the end away, and would look different each time.
        PullText { title: text.title, body: body.trim_end().to_owned() }
    }

    /// What the landed commit is to say.
    pub(super) fn commit_text(&self, cargo: &Cargo) -> PullText {
        let (title, body) = cargo.message.split_once("\n\n").unwrap_or((&cargo.message, ""));
        let suffix = format!(" ({})", self.task.key());
        let title = title.strip_suffix(&suffix).unwrap_or(title);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = format!("{}{suffix}", shortened(&title, LONGEST_TITLE - suffix.len()));
        PullText { title, body: body.to_owned() }
    }
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
