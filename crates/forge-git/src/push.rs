use std::time::Duration;

use forge_proc::CaptureError;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::porch::Porch;
use crate::ref_name::BranchName;
use crate::remote_repo::RemoteRepo;
use crate::remote_trouble::{RemoteTrouble, TroubleKind, told};
use crate::repo::Repo;

const PUSH_DEADLINE: Duration = Duration::from_secs(300);

/// What became of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push {
    /// The branch there went forward to our commit.
    Accepted,
    /// It was there already.
    AlreadyThere,
    /// The branch there has commits that ours has not: others were first.
    Behind,
    /// The other side has a rule against it: a protected branch, a hook.
    Declined {
        /// Its words.
        message: String,
    },
    /// It did not get that far; after a lost connection ([`TroubleKind::Unknown`]) only the other side knows.
    Failed(RemoteTrouble),
}

/// What a server says when two pushes met there: whoever looks again sees which one was first.
const RACES: &[&str] = &[
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
    /// Offers a commit to a branch elsewhere, never by force (M-7).
    pub async fn push(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        target: &BranchName,
    ) -> Result<Push, GitError> {
        self.offer(remote, commit, target, None).await
    }

    /// Offers a commit to a branch elsewhere that is ours alone: it may take the place of exactly what is said to be
    /// there, whatever that is; nothing, if the branch is not to be there yet.
    pub async fn push_over(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        branch: &BranchName,
        there: Option<&ObjectId>,
    ) -> Result<Push, GitError> {
        let there = there.map(ObjectId::as_str).unwrap_or_default();
        let lease = format!("--force-with-lease={}:{there}", branch.to_ref());
        self.offer(remote, commit, branch, Some(lease)).await
    }

    async fn offer(
        &self,
        remote: &RemoteRepo,
        commit: &ObjectId,
        target: &BranchName,
        lease: Option<String>,
    ) -> Result<Push, GitError> {
        let porch = Porch::build(self, remote, Some(commit)).await?;
        let there = target.to_ref();
        let deadline = remote.deadline_or(PUSH_DEADLINE);
        let outcome = Command::push(&porch, remote)
            .args(["--porcelain", "--no-verify", "--no-follow-tags", "--no-signed"])
            .args(["--recurse-submodules=no", "--no-progress"])
            .args(lease)
            .arg("--")
            // A name that begins with an object's id cannot begin with the plus sign that means force.
            .args([remote.url().as_str(), &format!("{commit}:{there}")])
            .deadline(deadline)
            .outcome()
            .await;
        let outcome = match outcome {
            Err(GitError::Process(CaptureError::TimedOut { .. })) => {
                return Ok(Push::Failed(RemoteTrouble::late(TroubleKind::Unknown, deadline)));
            }
            outcome => outcome?,
        };
        let (access, stderr) = (remote.access(), outcome.stderr());
        let listed = String::from_utf8_lossy(outcome.stdout()).into_owned();
        Ok(match (outcome.code(), verdict(&listed, there.as_str())) {
            (Some(0), Some(('=', _))) => Push::AlreadyThere,
            (Some(0), Some((' ' | '*' | '+', _))) => Push::Accepted,
            (_, Some(('!', why))) => refused(why, &told(access, &stderr)),
            _ => Push::Failed(RemoteTrouble::of(access, &stderr)),
        })
    }
}

/// The sign and the words that git's list has for a branch.
fn verdict<'a>(listed: &'a str, there: &str) -> Option<(char, &'a str)> {
    listed.lines().find_map(|line| {
        let mut parts = line.splitn(3, '\t');
        let (sign, names, why) = (parts.next()?, parts.next()?, parts.next()?);
        let (_, name) = names.split_once(':')?;
        (name == there).then_some((sign.chars().next()?, why))
    })
}

fn refused(why: &str, stderr: &str) -> Push {
    if RACES.iter().any(|race| why.contains(race)) {
        return Push::Behind;
    }
    if why.starts_with("[remote failure]") {
        let message = format!("{why}\n{stderr}");
        return Push::Failed(RemoteTrouble { kind: TroubleKind::Unknown, message });
    }
    let said = stderr.lines().filter_map(|line| line.strip_prefix("remote:"));
    let mut lines = vec![why.trim()];
    lines.extend(said.map(str::trim).filter(|line| !line.is_empty()));
    Push::Declined { message: lines.join("\n") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_17_the_list_of_a_push_is_read() {
        let listed = "To http://example.org/a.git\n!\t1:refs/heads/main\t[remote rejected] (pre-receive hook declined)\nDone\n";
        let (sign, why) = verdict(listed, "refs/heads/main").expect("listed");
        assert_eq!(sign, '!');
        let Push::Declined { message } = refused(why, "remote: ask first   \nremote: \nerror: x")
        else {
            panic!("declined")
        };
        assert_eq!(message, "[remote rejected] (pre-receive hook declined)\nask first");
        assert_eq!(verdict(listed, "refs/heads/other"), None);
        for race in [
            "[rejected] (fetch first)",
            "[rejected] (non-fast-forward)",
            "[remote rejected] (cannot lock ref 'refs/heads/main': is at 1 but expected 2)",
            "[remote rejected] (failed to update ref)",
        ] {
            assert_eq!(refused(race, ""), Push::Behind, "{race}");
        }
        let lost = refused("[remote failure] (remote failed to report status)", "");
        assert!(matches!(lost, Push::Failed(RemoteTrouble { kind: TroubleKind::Unknown, .. })));
    }
}
