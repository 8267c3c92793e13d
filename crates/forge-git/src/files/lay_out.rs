use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::declined::Declined;
use super::difference::Difference;
use super::index::Index;
use super::listing::File;
use super::objects::Objects;
use super::plan::Plan;
use super::stock::Demand;
use super::writer::{Pace, Writer};
use super::{attributes, plain_config};
use crate::beneath::Beneath;
use crate::hold::LOCK_FILE;
use crate::object_id::ObjectId;
use crate::record::Record;
use crate::spot::Spot;

/// Writes all files of a commit into an empty worktree, its index, and last the sign that it is checked out. `kept` is
/// what gives the right to it: it is let go of when the last thread is done, also when nobody waits for the answer any
/// more. A plan of another commit is not used. Where somebody waited, the files stay in memory for the next who does.
pub(crate) async fn lay_out(
    spot: Spot,
    commit: ObjectId,
    plan: Option<Plan>,
    pace: Pace,
    kept: impl Send + 'static,
) -> Result<(), Declined> {
    let stock = Arc::clone(spot.repo.stock());
    let demand = aside(kept, move |stopped| {
        let ground = spot.ground()?;
        check_empty(&ground, &spot.git_dir)?;
        plain_config::check(spot.repo.common_dir())?;
        let Plan { objects, listing, .. } = match plan.filter(|plan| plan.is_of(&commit)) {
            Some(plan) => plan,
            None => Plan::of(&spot.repo, commit)?,
        };
        check_attributes(&objects, listing.files.iter())?;
        let rewritten = &BTreeSet::new();
        let writer = Writer { ground: &ground, pace, stopped, rewritten };
        let stamps = writer.write(&objects, &listing.files)?;
        let demand = Demand { objects, ids: listing.ids().collect() };
        let entries = listing.files.into_iter().zip(stamps).collect();
        let trees: BTreeMap<_, _> = listing.directories.into_iter().collect();
        Index { entries, trees }.save(&spot.git_dir)?;
        spot.set_checked_out()?;
        Ok(demand)
    })
    .await?;
    if pace == Pace::Hurried {
        stock.meet(demand);
    }
    Ok(())
}

/// Brings a worktree whose files are those of one commit to another, by what differs.
pub(crate) async fn bring_forward(
    spot: Spot,
    from: ObjectId,
    to: ObjectId,
    pace: Pace,
    kept: impl Send + 'static,
) -> Result<(), Declined> {
    aside(kept, move |stopped| {
        let ground = spot.ground()?;
        plain_config::check(spot.repo.common_dir())?;
        let objects = Objects::of(&spot.repo)?;
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

/// Runs on threads that may wait, and stops soon after nobody asks for the result any more.
async fn aside<T: Send + 'static>(
    kept: impl Send + 'static,
    work: impl FnOnce(&AtomicBool) -> Result<T, Declined> + Send + 'static,
) -> Result<T, Declined> {
    struct Interest(Arc<AtomicBool>);
    impl Drop for Interest {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let interest = Interest(Arc::default());
    let stopped = Arc::clone(&interest.0);
    let working = tokio::task::spawn_blocking(move || {
        let done = work(&stopped);
        drop(kept);
        done
    });
    let done = working.await.map_err(Declined::new)?;
    drop(interest);
    done
}

impl Spot {
    fn set_checked_out(&self) -> Result<(), Declined> {
        Record::at(&self.git_dir).set_checked_out().map_err(Declined::new)
    }
}

fn check_empty(ground: &Beneath, git_dir: &Path) -> Result<(), Declined> {
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

fn check_attributes<'a>(
    objects: &Objects,
    files: impl Iterator<Item = &'a File>,
) -> Result<(), Declined> {
    let mut buffer = Vec::new();
    for file in files.filter(|file| attributes::is_attributes(&file.path)) {
        attributes::check(objects.blob(&file.id, &mut buffer)?)?;
    }
    Ok(())
}
