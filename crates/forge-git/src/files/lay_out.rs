use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::declined::Declined;
use super::difference::Difference;
use super::index::Index;
use super::interest::Interest;
use super::laid::Laid;
use super::objects::Objects;
use super::plain_config;
use super::plan::{Plan, check_attributes};
use super::writer::{Pace, Writer};
use crate::beneath::Beneath;
use crate::hold::LOCK_FILE;
use crate::object_id::ObjectId;
use crate::spot::Spot;

/// Writes all files of a commit into an empty worktree, its index, and last the sign that it is checked out. `kept` is
/// what gives the right to it: it is let go of when the last thread is done, also when nobody waits for the answer any
/// more. Where somebody waited, the files stay in memory for the next who does.
pub(crate) async fn lay_out(
    spot: Spot,
    commit: ObjectId,
    pace: Pace,
    kept: impl Send + 'static,
) -> Result<(), Declined> {
    let repo = spot.repo.clone();
    let demand = aside(kept, move |stopped| {
        let ground = spot.ground()?;
        check_empty(&ground, &spot.git_dir)?;
        let plan = Plan::of(&spot.repo, &commit, || {})?;
        Laid::out(plan, &ground, pace, stopped)?.seal(&spot)
    })
    .await?;
    if pace == Pace::Hurried {
        repo.stock().meet(demand);
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
    let interest = Interest::default();
    let stopped = interest.stopped();
    let working = tokio::task::spawn_blocking(move || {
        let done = work(&stopped);
        drop(kept);
        done
    });
    let done = working.await.map_err(Declined::new)?;
    drop(interest);
    done
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
