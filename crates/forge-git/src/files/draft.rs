use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, mpsc};

use tokio::sync::{OwnedMutexGuard, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};

use super::declined::Declined;
use super::interest::Interest;
use super::laid::Laid;
use super::plan::Plan;
use super::stock::Demand;
use super::writer::Pace;
use crate::draft_place::DraftPlace;
use crate::error::GitError;
use crate::hold::WorkspaceHold;
use crate::object_id::ObjectId;
use crate::repo::Repo;
use crate::root::WorkspaceRoot;
use crate::spot::Spot;

/// The files of a worktree that is still to be made: written into a directory that nobody knows, while the worktree gets
/// its branch and its record, or before it is certain that anybody gets it (W-15). Then the directory is renamed to the
/// worktree's, whether or not all files are there yet. Dropped before that, it leaves nothing.
#[derive(Debug)]
pub struct Draft {
    commit: ObjectId,
    commit_found: Option<oneshot::Receiver<()>>,
    directory_made: Option<oneshot::Receiver<PathBuf>>,
    owner: Arc<Owner>,
    seal: mpsc::Sender<Spot>,
    writing: JoinHandle<Result<Demand, Declined>>,
    _interest: Interest,
}

/// Whose workspace it has become: nobody else writes there before the last thread is done, also when nobody waits for it
/// any more.
type Owner = OnceLock<(WorkspaceHold, OwnedMutexGuard<()>)>;

/// The directory of a draft, which is not deleted as long as this value is there.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) path: PathBuf,
    _kept: mpsc::Sender<Spot>,
}

/// What a draft's threads need.
#[derive(Debug)]
struct Work {
    repo: Repo,
    commit: ObjectId,
    commit_found: oneshot::Sender<()>,
    place: oneshot::Receiver<Result<DraftPlace, GitError>>,
    directory_made: oneshot::Sender<PathBuf>,
    seal: mpsc::Receiver<Spot>,
}

impl Draft {
    /// Begins to write the files of a commit.
    pub fn begin(repo: &Repo, root: &WorkspaceRoot, commit: ObjectId) -> Self {
        let (found, commit_found) = oneshot::channel();
        let (made, directory_made) = oneshot::channel();
        let (seal, sealed) = mpsc::channel();
        let work = Work {
            repo: repo.clone(),
            commit: commit.clone(),
            commit_found: found,
            place: make_place(root.clone()),
            directory_made: made,
            seal: sealed,
        };
        let (interest, owner) = (Interest::default(), Arc::<Owner>::default());
        let (stopped, kept) = (interest.stopped(), Arc::clone(&owner));
        let writing = spawn_blocking(move || {
            let written = work.carry_out(&stopped);
            drop(kept);
            written
        });
        let (commit_found, directory_made) = (Some(commit_found), Some(directory_made));
        Self { commit, commit_found, directory_made, owner, seal, writing, _interest: interest }
    }

    /// Whose files they are.
    pub fn commit(&self) -> &ObjectId {
        &self.commit
    }

    /// Whether the commit is there, as far as can be told without git.
    pub(crate) async fn has_found_commit(&mut self) -> bool {
        match self.commit_found.take() {
            Some(found) => found.await.is_ok(),
            None => false,
        }
    }

    /// Its directory, which is from now on the workspace's, to be renamed. There is none if git is to write the files.
    pub(crate) async fn give_to(&mut self, hold: &WorkspaceHold) -> Option<Prepared> {
        let path = self.directory_made.take()?.await.ok()?;
        self.owner.set((hold.clone(), hold.turn_to_write().await)).ok()?;
        Some(Prepared { path, _kept: self.seal.clone() })
    }

    /// Waits for the last file, and makes them those of the worktree that the directory has become.
    pub(crate) async fn finish(self, spot: Spot) -> Result<(), Declined> {
        let repo = spot.repo.clone();
        // Whoever does not ask for it any more says why.
        self.seal.send(spot).ok();
        let demand = self.writing.await.map_err(Declined::new)??;
        repo.stock().meet(demand);
        Ok(())
    }
}

impl Work {
    fn carry_out(self, stopped: &AtomicBool) -> Result<Demand, Declined> {
        let Self { repo, commit, commit_found, place, directory_made, seal } = self;
        let plan = Plan::of(&repo, &commit, || {
            commit_found.send(()).ok();
        });
        let place = place.blocking_recv().map_err(Declined::new)?.map_err(Declined::new)?;
        let plan = plan?;
        directory_made.send(place.path().to_owned()).ok();
        let laid = Laid::out(plan, place.ground(), Pace::Hurried, stopped);
        // Also when something went wrong: from now on the directory is taken away by whoever makes the worktree of it.
        let spot = seal.recv().map_err(Declined::new)?;
        laid?.seal(&spot)
    }
}

/// Finding a place for a directory on a large disk takes its time, so it is done beside other work.
fn make_place(root: WorkspaceRoot) -> oneshot::Receiver<Result<DraftPlace, GitError>> {
    let (made, place) = oneshot::channel();
    spawn_blocking(move || made.send(DraftPlace::make(&root)).ok());
    place
}
