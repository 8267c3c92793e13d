use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::files::declined::Declined;
use crate::files::difference::Difference;
use crate::files::index::Index;
use crate::files::objects::Objects;
use crate::files::plain_config;
use crate::files::plan::{Plan, check_attributes};
use crate::files::writer::{Pace, Writer};
use crate::fs::confined_dir::ConfinedDir;
use crate::refs::object_id::ObjectId;
use crate::worktree::workspace_lock::LOCK_FILE;
use crate::worktree::worktree_location::WorktreeLocation;
use crate::worktree::worktree_record::WorktreeRecord;

/// Writes all files of a commit into an empty worktree, then its index, and last the marker that it is checked out.
/// `kept` holds the locks of the worktree: it is dropped when the last thread has ended, even if the caller was
/// cancelled before.
pub(crate) async fn lay_out(
    spot: WorktreeLocation,
    commit: ObjectId,
    pace: Pace,
    kept: impl Send + 'static,
) -> Result<(), Declined> {
    aside(kept, move |stopped| {
        let ground = spot.open_directory()?;
        check_empty(&ground, &spot.git_dir)?;
        let Plan { objects, listing } = Plan::of(&spot.repo, &commit)?;
        let writer = Writer { ground: &ground, pace, stopped, rewritten: &BTreeSet::new() };
        let stamps = writer.write(&objects, &listing.files)?;
        let entries = listing.files.into_iter().zip(stamps).collect();
        let trees: BTreeMap<_, _> = listing.directories.into_iter().collect();
        Index { entries, trees }.save(&spot.git_dir)?;
        spot.set_checked_out()
    })
    .await
}

/// Brings a worktree whose files are those of one commit to another, by what differs.
pub(crate) async fn bring_forward(
    spot: WorktreeLocation,
    from: ObjectId,
    to: ObjectId,
    pace: Pace,
    kept: impl Send + 'static,
) -> Result<(), Declined> {
    aside(kept, move |stopped| {
        let ground = spot.open_directory()?;
        plain_config::check(spot.repo.settings_dir())?;
        let objects = Objects::open(spot.repo.common_dir())?;
        let (from, to) = (objects.tree_of(&from)?, objects.tree_of(&to)?);
        let difference = Difference::between(&objects, from, to)?;
        let index = Index::load(&spot.git_dir.join("index"))?;
        difference.check(&index)?;
        let staying = index.entries.iter().map(|(file, _)| file);
        let staying = staying.filter(|file| !difference.removed.contains_key(&file.path));
        check_attributes(&objects, staying.chain(&difference.written))?;
        let replaced = difference.removed.keys();
        for path in replaced.filter(|path| !difference.rewritten.contains(*path)) {
            ground.remove_file(Path::new(OsStr::from_bytes(path)))?;
        }
        for path in difference.emptied() {
            ground.remove_empty(Path::new(OsStr::from_bytes(path)))?;
        }
        let rewritten = &difference.rewritten;
        let writer = Writer { ground: &ground, pace, stopped, rewritten };
        let stamps = writer.write(&objects, &difference.written)?;
        difference.apply(index, stamps).save(&spot.git_dir)?;
        spot.set_checked_out()
    })
    .await
}

impl WorktreeLocation {
    fn set_checked_out(&self) -> Result<(), Declined> {
        WorktreeRecord::from_git_dir(&self.git_dir).set_checked_out().map_err(Declined::new)
    }
}

/// Tells the threads to stop writing when the caller is cancelled.
#[derive(Debug, Default)]
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs the work on a blocking thread. If the caller is cancelled, the work stops after the next files.
async fn aside<T: Send + 'static>(
    kept: impl Send + 'static,
    work: impl FnOnce(&AtomicBool) -> Result<T, Declined> + Send + 'static,
) -> Result<T, Declined> {
    let stop = StopOnDrop::default();
    let stopped = Arc::clone(&stop.0);
    let working = tokio::task::spawn_blocking(move || {
        let done = work(&stopped);
        drop(kept);
        done
    });
    let done = working.await.map_err(Declined::new)?;
    drop(stop);
    done
}

fn check_empty(ground: &ConfinedDir, git_dir: &Path) -> Result<(), Declined> {
    if git_dir.join("index").symlink_metadata().is_ok() {
        return Err(Declined::new("it has an index"));
    }
    for entry in std::fs::read_dir(ground.handle_path())? {
        let name = entry?.file_name();
        if name != ".git" && name != LOCK_FILE {
            return Err(Declined::path("it is not empty", name.as_bytes()));
        }
    }
    Ok(())
}
