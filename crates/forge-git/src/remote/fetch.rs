use std::time::Duration;

use forge_proc::CaptureError;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_output::GitOutput;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::remote::bare_clone::tracking_ref_name;
use crate::remote::isolated_git_dir::IsolatedGitDir;
use crate::remote::remote_error::{RemoteError, RemoteErrorKind};
use crate::remote::remote_repo::RemoteRepo;
use crate::repo::repo_lock::RepoLocks;
use crate::repo::repository::Repo;

const QUERY_DEADLINE: Duration = Duration::from_secs(60);
const FETCH_DEADLINE: Duration = Duration::from_secs(300);
const FETCHED_REF: &str = "refs/heads/fetched";

/// Why a query of a remote repository failed.
#[derive(Debug, thiserror::Error)]
pub enum RemoteQueryError {
    /// The remote did not answer as expected.
    #[error("{0}")]
    Remote(RemoteError),
    /// Git or the disk failed on this machine.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Repo {
    /// The commit that a remote branch is at now; `None` if there is no such branch.
    pub async fn remote_tip(
        &self,
        remote: &RemoteRepo,
        branch: &BranchName,
    ) -> Result<Option<ObjectId>, RemoteQueryError> {
        let isolated = IsolatedGitDir::create(self, remote, None).await?;
        let name = branch.to_ref();
        let asking = GitCommand::ls_remote(&isolated, remote).args([
            "--refs",
            "--",
            remote.url().as_str(),
            name.as_str(),
        ]);
        let outcome = run_with_deadline(asking, remote, QUERY_DEADLINE).await?;
        if outcome.code() != Some(0) {
            return Err(remote_failure(remote, &outcome));
        }
        let listed = String::from_utf8_lossy(outcome.stdout()).into_owned();
        // The remote may also list longer names with the same ending.
        let id = listed.lines().find_map(|line| {
            let (id, found) = line.split_once('\t')?;
            (found == name.as_str()).then_some(id)
        });
        let unexpected = |_| GitError::unexpected("ls-remote", listed.as_bytes());
        Ok(id.map(ObjectId::new).transpose().map_err(unexpected)?)
    }

    /// Updates the remote-tracking branch of this name. Returns its commit, or `None` if the remote has no such
    /// branch. Local branches stay: see [`Repo::follow_remote`].
    pub async fn fetch(
        &self,
        remote: &RemoteRepo,
        locks: &RepoLocks,
        branch: &BranchName,
    ) -> Result<Option<ObjectId>, RemoteQueryError> {
        let Ok(known) = tracking_ref_name(branch) else { return Ok(None) };
        let (ours, seen) = (self.tip(branch).await?, self.resolve(&known).await?);
        let isolated =
            IsolatedGitDir::create(self, remote, ours.as_ref().or(seen.as_ref())).await?;
        // Objects that exist locally need not be sent again.
        let tips = [&ours, &seen].into_iter().flatten();
        let tips = tips.map(|tip| format!("--negotiation-tip={tip}"));
        let fetching = GitCommand::fetch(&isolated, remote)
            .args(["--quiet", "--no-write-fetch-head", "--no-recurse-submodules", "--no-tags"])
            .args(["--no-auto-maintenance"])
            .args(tips)
            .args(["--", remote.url().as_str(), &format!("+{}:{FETCHED_REF}", branch.to_ref())]);
        let outcome = run_with_deadline(fetching, remote, FETCH_DEADLINE).await?;
        if outcome.code() != Some(0) {
            if outcome.stderr().contains("couldn't find remote ref") {
                return Ok(None);
            }
            return Err(remote_failure(remote, &outcome));
        }
        let found = GitCommand::read_isolated(&isolated, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", FETCHED_REF])
            .output_object_id()
            .await?;
        if seen.as_ref() != Some(&found) {
            let locked = locks.acquire(self).await?;
            GitCommand::write_refs(&locked, "update-ref")?
                .args(["-m", "forge: fetched", known.as_str(), found.as_str()])
                .run()
                .await?;
        }
        Ok(Some(found))
    }
}

/// Runs a command within the deadline of the remote.
async fn run_with_deadline(
    command: GitCommand,
    remote: &RemoteRepo,
    usual: Duration,
) -> Result<GitOutput, RemoteQueryError> {
    let deadline = remote.deadline_or(usual);
    match command.deadline(deadline).output().await {
        Err(GitError::Process(CaptureError::TimedOut { .. })) => Err(RemoteQueryError::Remote(
            RemoteError::timed_out(RemoteErrorKind::Network, deadline),
        )),
        outcome => Ok(outcome?),
    }
}

fn remote_failure(remote: &RemoteRepo, outcome: &GitOutput) -> RemoteQueryError {
    RemoteQueryError::Remote(RemoteError::from_stderr(remote.credentials(), &outcome.stderr()))
}
