//! Watches the checks of a landed commit where it was pushed. Where they fail, somebody has to mend it.

use super::perform::Step;
use super::{Failure, Outcome};
use forge_domain::task::{FailedCheck, Verified};
use forge_domain::{Actor, Report};
use forge_git::{Access, RemoteRepo};
use forge_github::{Checks, Repository};

/// Checks that have said nothing by then are not waited for any more.
const LONGEST_SECONDS: u64 = 86_400;
/// A commit that nobody checks shows no check at all.
const BEGINNING_SECONDS: u64 = 3_600;
const LOOK_AGAIN_SECONDS: u64 = 300;

impl Step<'_> {
    pub(super) async fn verify_landing(&self, commit: &str) -> Result<Outcome, Failure> {
        let row = self.engine.repo_row(&self.task).await?;
        let remote = match self.engine.publishes_to(&row).await {
            Ok(Some(remote)) => remote,
            Ok(None) => return Ok(unknown("nothing is pushed from the repository")),
            Err(error) if error.is_passing() => return self.later(error.to_string()),
            Err(error) => return Ok(unknown(&error.to_string())),
        };
        let Some(repository) = self.on_github(&remote) else {
            return Ok(unknown("it is not pushed to GitHub over https"));
        };
        let Access::Token(token) = remote.access() else {
            return Ok(unknown("there is no token to ask GitHub with"));
        };
        let github = &self.engine.0.limits.remotes.github;
        self.reach("verify.asking").await?;
        match github.checks_of(&repository, commit, token.secret()).await {
            Ok(Checks::Passed) => {
                Ok(Outcome::Report(Report::LandingVerified { result: Verified::Passed }))
            }
            Ok(Checks::Failed(failed)) => self.failed_there(failed).await,
            Ok(Checks::Pending) => self.later("its checks are not over".to_owned()),
            Ok(Checks::None) if self.is_older_than(BEGINNING_SECONDS) => {
                Ok(unknown("GitHub has no checks of it"))
            }
            Ok(Checks::None) => self.later("its checks have not begun".to_owned()),
            Err(error) if error.is_passing() => self.later(error.to_string()),
            Err(error) => Ok(unknown(&error.to_string())),
        }
    }

    /// Said, and given to somebody, in one transaction with the end of this step: never twice.
    async fn failed_there(
        &self,
        failed: Vec<forge_github::FailedCheck>,
    ) -> Result<Outcome, Failure> {
        let checks: Vec<_> = failed
            .into_iter()
            .map(|check| FailedCheck { name: check.name, url: check.url })
            .collect();
        let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
        let reason = format!("checks failed on GitHub: {}", names.join(", "));
        let actor = Actor::system(self.row.effect.name());
        self.reach("verify.failed").await?;
        let step = Some(self.claimed);
        self.engine.regressed(actor, self.task.id, reason, checks, step).await?;
        self.reach("verify.told").await?;
        Err(Failure::Overtaken)
    }

    fn later(&self, error: String) -> Result<Outcome, Failure> {
        if self.is_older_than(LONGEST_SECONDS) {
            return Ok(unknown(&format!("after a day: {error}")));
        }
        let (report, patience_seconds) = (Report::VerificationWaits, LOOK_AGAIN_SECONDS);
        Ok(Outcome::TryAgain { report, error, patience_seconds })
    }

    fn is_older_than(&self, seconds: u64) -> bool {
        self.engine.now() >= self.row.created_at.plus_seconds(seconds)
    }

    fn on_github(&self, remote: &RemoteRepo) -> Option<Repository> {
        let origin = remote.url().origin()?;
        let path = remote.url().as_str().strip_prefix(origin)?;
        let github = &self.engine.0.limits.remotes.github_url;
        (origin == github).then(|| Repository::of_path(path)).flatten()
    }
}

fn unknown(reason: &str) -> Outcome {
    let result = Verified::Unknown { reason: reason.to_owned() };
    Outcome::Report(Report::LandingVerified { result })
}
