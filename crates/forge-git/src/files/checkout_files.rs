use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::files::checkout_plan::{CheckoutPlan, check_attributes};
use crate::files::file_writer::{CheckoutPriority, FileWriter};
use crate::files::object_database::ObjectDatabase;
use crate::files::plain_config;
use crate::files::plain_index::PlainIndex;
use crate::files::tree_difference::TreeDifference;
use crate::files::unsupported::Unsupported;
use crate::fs::confined_dir::ConfinedDir;
use crate::refs::object_id::ObjectId;
use crate::worktree::workspace_lock::LOCK_FILE;
use crate::worktree::worktree_location::WorktreeLocation;
use crate::worktree::worktree_record::WorktreeRecord;

/// Writes all files of a commit into an empty worktree, then its index, and last the marker that it is checked out.
/// `kept` holds the locks of the worktree: it is dropped when the last thread has ended, even if the caller was
/// cancelled before.
pub(crate) async fn check_out_files(
    spot: WorktreeLocation,
    commit: ObjectId,
    priority: CheckoutPriority,
    kept: impl Send + 'static,
) -> Result<(), Unsupported> {
    run_blocking(kept, move |stopped| {
        let ground = spot.open_directory()?;
        check_empty(&ground, &spot.git_dir)?;
        let CheckoutPlan { objects, listing } = CheckoutPlan::of(&spot.repo, &commit)?;
        let writer = FileWriter { ground: &ground, priority, stopped, rewritten: &BTreeSet::new() };
        let stamps = writer.write(&objects, &listing.files)?;
        let entries = listing.files.into_iter().zip(stamps).collect();
        let trees: BTreeMap<_, _> = listing.directories.into_iter().collect();
        PlainIndex { entries, trees }.save(&spot.git_dir)?;
        spot.set_checked_out()
    })
    .await
}

/// Changes a worktree whose files are those of one commit to those of another, by the difference of the trees.
pub(crate) async fn update_checkout(
    spot: WorktreeLocation,
    from: ObjectId,
    to: ObjectId,
    priority: CheckoutPriority,
    kept: impl Send + 'static,
) -> Result<(), Unsupported> {
    run_blocking(kept, move |stopped| {
        let ground = spot.open_directory()?;
        plain_config::check(spot.repo.settings_dir())?;
        let objects = ObjectDatabase::open(spot.repo.common_dir())?;
        let (from, to) = (objects.tree_of(&from)?, objects.tree_of(&to)?);
        let difference = TreeDifference::between(&objects, from, to)?;
        let index = PlainIndex::load(&spot.git_dir.join("index"))?;
        difference.check(&index)?;
        let unchanged = index.entries.iter().map(|(file, _)| file);
        let unchanged = unchanged.filter(|file| !difference.removed.contains_key(&file.path));
        check_attributes(&objects, unchanged.chain(&difference.written))?;
        let replaced = difference.removed.keys();
        for path in replaced.filter(|path| !difference.rewritten.contains(*path)) {
            ground.remove_file(Path::new(OsStr::from_bytes(path)))?;
        }
        for path in difference.emptied() {
            ground.remove_empty(Path::new(OsStr::from_bytes(path)))?;
        }
        let rewritten = &difference.rewritten;
        let writer = FileWriter { ground: &ground, priority, stopped, rewritten };
        let stamps = writer.write(&objects, &difference.written)?;
        difference.apply(index, stamps).save(&spot.git_dir)?;
        spot.set_checked_out()
    })
    .await
}

impl WorktreeLocation {
    fn set_checked_out(&self) -> Result<(), Unsupported> {
        WorktreeRecord::from_git_dir(&self.git_dir).set_checked_out().map_err(Unsupported::new)
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
async fn run_blocking<T: Send + 'static>(
    kept: impl Send + 'static,
    work: impl FnOnce(&AtomicBool) -> Result<T, Unsupported> + Send + 'static,
) -> Result<T, Unsupported> {
    let stop = StopOnDrop::default();
    let stopped = Arc::clone(&stop.0);
    let working = tokio::task::spawn_blocking(move || {
        let done = work(&stopped);
        drop(kept);
        done
    });
    let done = working.await.map_err(Unsupported::new)?;
    drop(stop);
    done
}

fn check_empty(ground: &ConfinedDir, git_dir: &Path) -> Result<(), Unsupported> {
    if git_dir.join("index").symlink_metadata().is_ok() {
        return Err(Unsupported::new("it has an index"));
    }
    for entry in std::fs::read_dir(ground.handle_path())? {
        let name = entry?.file_name();
        if name != ".git" && name != LOCK_FILE {
            return Err(Unsupported::path("it is not empty", name.as_bytes()));
        }
    }
    Ok(())
}
