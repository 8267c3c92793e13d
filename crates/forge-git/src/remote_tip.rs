use std::time::Duration;

use forge_proc::CaptureError;

use crate::command::Command;
use crate::error::GitError;
use crate::lock::RepoLocks;
use crate::object_id::ObjectId;
use crate::outcome::Outcome;
use crate::porch::Porch;
use crate::ref_name::BranchName;
use crate::remote::seen_name;
use crate::remote_repo::RemoteRepo;
use crate::remote_trouble::{RemoteTrouble, TroubleKind};
use crate::repo::Repo;

const ASK_DEADLINE: Duration = Duration::from_secs(60);
const FETCH_DEADLINE: Duration = Duration::from_secs(300);
const FETCHED: &str = "refs/heads/fetched";

/// Why nothing was learned from a repository elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It did not answer as wanted.
    #[error("{0}")]
    Remote(RemoteTrouble),
    /// Git or the disk failed here.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Repo {
    /// The commit that a branch elsewhere is at now; none when there is no such branch.
    pub async fn remote_tip(
        &self,
        remote: &RemoteRepo,
        branch: &BranchName,
    ) -> Result<Option<ObjectId>, AskError> {
        let porch = Porch::build(self, remote, None).await?;
        let name = branch.to_ref();
        let asking = Command::ask_from(&porch, remote).args([
            "--refs",
            "--",
            remote.url().as_str(),
            name.as_str(),
        ]);
        let outcome = finish(asking, remote, ASK_DEADLINE).await?;
        if outcome.code() != Some(0) {
            return Err(trouble(remote, &outcome));
        }
        let listed = String::from_utf8_lossy(outcome.stdout()).into_owned();
        // The other side may list more: names that end alike.
        let id = listed.lines().find_map(|line| {
            let (id, found) = line.split_once('\t')?;
            (found == name.as_str()).then_some(id)
        });
        let unexpected = |_| GitError::unexpected("ls-remote", listed.as_bytes());
        Ok(id.map(ObjectId::new).transpose().map_err(unexpected)?)
    }

    /// Brings the remote branch of this name up to date: where it is now, or none when there is no such branch elsewhere.
    /// Branches of ours stay: see [`Repo::follow_remote`].
    pub async fn fetch(
        &self,
        remote: &RemoteRepo,
        locks: &RepoLocks,
        branch: &BranchName,
    ) -> Result<Option<ObjectId>, AskError> {
        let Ok(known) = seen_name(branch) else { return Ok(None) };
        let (ours, seen) = (self.tip(branch).await?, self.resolve(&known).await?);
        let porch = Porch::build(self, remote, ours.as_ref().or(seen.as_ref())).await?;
        // What is here already need not be sent again.
        let tips = [&ours, &seen].into_iter().flatten();
        let tips = tips.map(|tip| format!("--negotiation-tip={tip}"));
        let fetching = Command::fetch_from(&porch, remote)
            .args(["--quiet", "--no-write-fetch-head", "--no-recurse-submodules", "--no-tags"])
            .args(["--no-auto-maintenance"])
            .args(tips)
            .args(["--", remote.url().as_str(), &format!("+{}:{FETCHED}", branch.to_ref())]);
        let outcome = finish(fetching, remote, FETCH_DEADLINE).await?;
        if outcome.code() != Some(0) {
            if outcome.stderr().contains("couldn't find remote ref") {
                return Ok(None);
            }
            return Err(trouble(remote, &outcome));
        }
        let found = Command::read_porch(&porch, "rev-parse")
            .args(["--verify", "--quiet", "--end-of-options", FETCHED])
            .object_id()
            .await?;
        if seen.as_ref() != Some(&found) {
            let locked = locks.acquire(self).await?;
            Command::write_refs(&locked, "update-ref")?
                .args(["-m", "forge: fetched", known.as_str(), found.as_str()])
                .run()
                .await?;
        }
        Ok(Some(found))
    }
}

/// Runs it as long as the other side may take.
async fn finish(
    command: Command,
    remote: &RemoteRepo,
    usual: Duration,
) -> Result<Outcome, AskError> {
    let deadline = remote.deadline_or(usual);
    match command.deadline(deadline).outcome().await {
        Err(GitError::Process(CaptureError::TimedOut { .. })) => {
            Err(AskError::Remote(RemoteTrouble::late(TroubleKind::Network, deadline)))
        }
        outcome => Ok(outcome?),
    }
}

fn trouble(remote: &RemoteRepo, outcome: &Outcome) -> AskError {
    AskError::Remote(RemoteTrouble::of(remote.access(), &outcome.stderr()))
}
