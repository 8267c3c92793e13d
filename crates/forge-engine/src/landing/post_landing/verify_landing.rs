//! Watches the remote checks of a landed commit, and creates a fix task if they fail.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::post_landing::PostLanding;
use forge_domain::EffectReport;
use forge_domain::task::{RegressionCheck, VerificationResult};
use forge_git::{RemoteCredentials, RemoteRepo};
use forge_github::{CommitChecks, GitHubRepository};

/// Give up on checks without a result after this time.
const LONGEST_SECONDS: u64 = 86_400;
/// A commit without any check after this time has none.
const BEGINNING_SECONDS: u64 = 3_600;
const LOOK_AGAIN_SECONDS: u64 = 300;

impl PostLanding {
    pub(crate) async fn verify_landing(
        &self,
        effect: &EffectContext,
        commit: &str,
    ) -> Result<EffectOutcome, EffectError> {
        let row = effect.repo_row()?;
        let remote = match self.remotes.load_publish_remote(row, &effect.project).await {
            Ok(Some(remote)) => remote,
            Ok(None) => return Ok(verification_unknown("nothing is pushed from the repository")),
            Err(error) if error.is_transient() => {
                return retry_verification(effect, error.to_string());
            }
            Err(error) => return Ok(verification_unknown(&error.to_string())),
        };
        let Some(repository) = self.on_github(&remote) else {
            return Ok(verification_unknown("it is not pushed to GitHub over https"));
        };
        let RemoteCredentials::Token(token) = remote.credentials() else {
            return Ok(verification_unknown("there is no token to ask GitHub with"));
        };
        let github = &self.remote_settings.github;
        effect.pass_fault_point("verify.asking").await?;
        match github.fetch_checks(&repository, commit, token.secret()).await {
            Ok(CommitChecks::Passed) => Ok(EffectOutcome::Report(EffectReport::LandingVerified {
                result: VerificationResult::Passed,
            })),
            Ok(CommitChecks::Failed(failed)) => self.record_remote_failure(effect, failed).await,
            Ok(CommitChecks::Pending) => {
                retry_verification(effect, "its checks are not over".to_owned())
            }
            Ok(CommitChecks::None) if is_older_than(effect, BEGINNING_SECONDS) => {
                Ok(verification_unknown("GitHub has no checks of it"))
            }
            Ok(CommitChecks::None) => {
                retry_verification(effect, "its checks have not begun".to_owned())
            }
            Err(error) if error.is_transient() => retry_verification(effect, error.to_string()),
            Err(error) => Ok(verification_unknown(&error.to_string())),
        }
    }

    /// Records the regression, creates the fix task and finishes this effect in one transaction, so that it happens
    /// once.
    async fn record_remote_failure(
        &self,
        effect: &EffectContext,
        failed: Vec<forge_github::FailedCommitCheck>,
    ) -> Result<EffectOutcome, EffectError> {
        let checks: Vec<_> = failed
            .into_iter()
            .map(|check| RegressionCheck { name: check.name, url: check.url })
            .collect();
        let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
        let reason = format!("checks failed on GitHub: {}", names.join(", "));
        let actor = effect.actor();
        effect.pass_fault_point("verify.failed").await?;
        let lease = Some(effect.lease);
        self.record_regression(actor, effect.task.id, reason, checks, lease).await?;
        effect.pass_fault_point("verify.told").await?;
        Err(EffectError::LeaseLost)
    }

    fn on_github(&self, remote: &RemoteRepo) -> Option<GitHubRepository> {
        let origin = remote.url().origin()?;
        let path = remote.url().as_str().strip_prefix(origin)?;
        let github = &self.remote_settings.github_url;
        (origin == github).then(|| GitHubRepository::of_path(path)).flatten()
    }
}

fn retry_verification(effect: &EffectContext, error: String) -> Result<EffectOutcome, EffectError> {
    if is_older_than(effect, LONGEST_SECONDS) {
        return Ok(verification_unknown(&format!("after a day: {error}")));
    }
    let (report, patience_seconds) = (EffectReport::VerificationWaits, LOOK_AGAIN_SECONDS);
    Ok(EffectOutcome::Retry { report, error, patience_seconds })
}

fn is_older_than(effect: &EffectContext, seconds: u64) -> bool {
    effect.commands.clock.now() >= effect.row.created_at.plus_seconds(seconds)
}

fn verification_unknown(reason: &str) -> EffectOutcome {
    let result = VerificationResult::Unknown { reason: reason.to_owned() };
    EffectOutcome::Report(EffectReport::LandingVerified { result })
}
