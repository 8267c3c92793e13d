use std::time::Duration;

use forge_proc::CaptureError;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::remote::isolated_git_dir::IsolatedGitDir;
use crate::remote::remote_error::{RemoteError, RemoteErrorKind, sanitize_message};
use crate::remote::remote_repo::RemoteRepo;
use crate::repo::repository::Repo;

const PUSH_DEADLINE: Duration = Duration::from_secs(300);

/// The outcome of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// The remote branch was fast-forwarded to the pushed commit.
    Accepted,
    /// The remote branch was at the commit already.
    UpToDate,
    /// The remote branch has commits that the pushed one does not contain: another push came first.
    NonFastForward,
    /// The remote host rejected the push by a rule, such as a protected branch or a hook.
    Rejected {
        /// The host's own message.
        message: String,
    },
    /// The push failed. After a lost connection ([`RemoteErrorKind::Unknown`]) only the remote host knows whether it
    /// was accepted.
    Failed(RemoteError),
}

/// Messages of a host when two pushes race. A new fetch shows which of them came first.
const RACE_MESSAGES: &[&str] = &[
    "cannot lock ref",
    "failed to update ref",
    "failed to lock",
    "incorrect old value provided",
    "reference already exists",
    "fetch first",
    "non-fast-forward",
    "stale info",
];

impl Repo {
    /// Pushes a commit to a remote branch, never by force (M-7).
    pub async fn push(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        target: &BranchName,
    ) -> Result<PushOutcome, GitError> {
        self.push_ref(remote, commit, target, None).await
    }

    /// Pushes a commit to a remote branch that only Forge writes. Replaces exactly the commit `there`, whatever its
    /// history; `None` means that the branch must not exist yet.
    pub async fn push_with_lease(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        branch: &BranchName,
        there: Option<&ObjectId>,
    ) -> Result<PushOutcome, GitError> {
        let there = there.map(ObjectId::as_str).unwrap_or_default();
        let lease = format!("--force-with-lease={}:{there}", branch.to_ref());
        self.push_ref(remote, commit, branch, Some(lease)).await
    }

    async fn push_ref(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        target: &BranchName,
        lease: Option<String>,
    ) -> Result<PushOutcome, GitError> {
        let isolated = IsolatedGitDir::create(self, remote, Some(commit)).await?;
        let there = target.to_ref();
        let deadline = remote.deadline_or(PUSH_DEADLINE);
        let outcome = GitCommand::push(&isolated, remote)
            .args(["--porcelain", "--no-verify", "--no-follow-tags", "--no-signed"])
            .args(["--recurse-submodules=no", "--no-progress"])
            .args(lease)
            .arg("--")
            // A refspec that begins with an object id cannot begin with the plus sign that means force.
            .args([remote.url().as_str(), &format!("{commit}:{there}")])
            .deadline(deadline)
            .output()
            .await;
        let outcome = match outcome {
            Err(GitError::Process(CaptureError::TimedOut { .. })) => {
                return Ok(PushOutcome::Failed(RemoteError::timed_out(
                    RemoteErrorKind::Unknown,
                    deadline,
                )));
            }
            outcome => outcome?,
        };
        let (access, stderr) = (remote.credentials(), outcome.stderr());
        let listed = String::from_utf8_lossy(outcome.stdout()).into_owned();
        Ok(match (outcome.code(), parse_ref_status(&listed, there.as_str())) {
            (Some(0), Some(('=', _))) => PushOutcome::UpToDate,
            (Some(0), Some((' ' | '*' | '+', _))) => PushOutcome::Accepted,
            (_, Some(('!', why))) => classify_rejection(why, &sanitize_message(access, &stderr)),
            _ => PushOutcome::Failed(RemoteError::from_stderr(access, &stderr)),
        })
    }
}

/// The status character and message that `push --porcelain` lists for a branch.
fn parse_ref_status<'a>(listed: &'a str, there: &str) -> Option<(char, &'a str)> {
    listed.lines().find_map(|line| {
        let mut parts = line.splitn(3, '\t');
        let (sign, names, why) = (parts.next()?, parts.next()?, parts.next()?);
        let (_, name) = names.split_once(':')?;
        (name == there).then_some((sign.chars().next()?, why))
    })
}

fn classify_rejection(why: &str, stderr: &str) -> PushOutcome {
    if RACE_MESSAGES.iter().any(|race| why.contains(race)) {
        return PushOutcome::NonFastForward;
    }
    if why.starts_with("[remote failure]") {
        let message = format!("{why}\n{stderr}");
        return PushOutcome::Failed(RemoteError { kind: RemoteErrorKind::Unknown, message });
    }
    let said = stderr.lines().filter_map(|line| line.strip_prefix("remote:"));
    let mut lines = vec![why.trim()];
    lines.extend(said.map(str::trim).filter(|line| !line.is_empty()));
    PushOutcome::Rejected { message: lines.join("\n") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_17_the_porcelain_output_of_a_push_is_parsed() {
        let listed = "To http://example.org/a.git\n!\t1:refs/heads/main\t[remote rejected] (pre-receive hook declined)\nDone\n";
        let (sign, why) = parse_ref_status(listed, "refs/heads/main").expect("listed");
        assert_eq!(sign, '!');
        let PushOutcome::Rejected { message } =
            classify_rejection(why, "remote: ask first   \nremote: \nerror: x")
        else {
            panic!("declined")
        };
        assert_eq!(message, "[remote rejected] (pre-receive hook declined)\nask first");
        assert_eq!(parse_ref_status(listed, "refs/heads/other"), None);
        for race in [
            "[rejected] (fetch first)",
            "[rejected] (non-fast-forward)",
            "[remote rejected] (cannot lock ref 'refs/heads/main': is at 1 but expected 2)",
            "[remote rejected] (failed to update ref)",
        ] {
            assert_eq!(classify_rejection(race, ""), PushOutcome::NonFastForward, "{race}");
        }
        let lost = classify_rejection("[remote failure] (remote failed to report status)", "");
        assert!(matches!(
            lost,
            PushOutcome::Failed(RemoteError { kind: RemoteErrorKind::Unknown, .. })
        ));
    }
}
