use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use gix_hash::ObjectId as Id;

use super::contents::{Allowance, Contents, Gathering};
use super::objects::Objects;
use crate::slow_work::slow_work;

/// What all repositories together may take, on a machine that has plenty.
const MOST_BYTES: usize = 128 * 1024 * 1024;
/// The part of a smaller machine's memory that they may take.
const SHARE_OF_MEMORY: u64 = 64;

/// The files of a repository in memory, for the next worktree that is made while none waits (W-15). Reading them from
/// packs takes a third of the time that making a worktree takes. What an object holds never changes, so nothing in
/// here is ever out of date.
#[derive(Debug, Default)]
pub(crate) struct Stock(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    contents: Arc<Contents>,
    /// It was asked for lately.
    used: bool,
    /// Somebody is filling it.
    filling: bool,
}

/// The files that a worktree was made of, which the next one is likely to need.
#[derive(Debug)]
pub(super) struct Demand {
    pub(super) objects: Objects,
    pub(super) ids: Vec<Id>,
}

impl Stock {
    /// What is there now.
    pub(super) fn contents(&self) -> Arc<Contents> {
        let mut shelf = self.shelf();
        shelf.used = true;
        Arc::clone(&shelf.contents)
    }

    /// Gets, in the background, what was asked for and was not there.
    pub(super) fn meet(self: &Arc<Self>, demand: Demand) {
        if !self.begin_filling(&demand.ids) {
            return;
        }
        let stock = Arc::clone(self);
        tokio::spawn(async move {
            let filler = Arc::clone(&stock);
            // A thread that could not be started, or fell, leaves a smaller stock.
            slow_work("forge-stock", move || filler.fill(&demand, &ALLOWANCE)).await.ok();
            stock.shelf().filling = false;
        });
    }

    /// Whether anything is missing and nobody else is at it. Then it is the caller's to fill.
    fn begin_filling(&self, ids: &[Id]) -> bool {
        let mut shelf = self.shelf();
        if shelf.filling || ids.iter().all(|id| shelf.contents.get(id).is_some()) {
            return false;
        }
        shelf.filling = true;
        true
    }

    fn fill(&self, demand: &Demand, allowance: &Arc<Allowance>) {
        let mut known = Arc::clone(&self.shelf().contents);
        if known.bytes() > 2 * known.bytes_of(&demand.ids) {
            // Most of it is of files that are no more.
            known = Arc::default();
            self.shelf().contents = Arc::default();
        }
        let mut gathering = Gathering::begin(&known, allowance);
        let mut buffer = Vec::new();
        for id in demand.ids.iter().filter(|id| known.get(id).is_none()) {
            let Ok(content) = demand.objects.load(id, &mut buffer) else { continue };
            if !gathering.add(*id, content) {
                break;
            }
        }
        self.shelf().contents = Arc::new(gathering.finish());
    }

    /// Gives the memory back unless it was asked for since the last time.
    pub(crate) fn drop_unused(&self) {
        let mut shelf = self.shelf();
        if !std::mem::take(&mut shelf.used) {
            shelf.contents = Arc::default();
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of this process.
static ALLOWANCE: LazyLock<Arc<Allowance>> = LazyLock::new(|| {
    let machine = rustix::system::sysinfo();
    let memory = u64::from(machine.mem_unit).saturating_mul(machine.totalram);
    let share = usize::try_from(memory / SHARE_OF_MEMORY).unwrap_or(usize::MAX);
    Arc::new(Allowance::new(MOST_BYTES.min(share)))
});

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use gix_object::Kind;
    use gix_object::tree::EntryKind;

    use super::super::listing::Listing;
    use super::super::writer::{Pace, Writer};
    use super::*;
    use crate::beneath::Beneath;

    const PLENTY: usize = 16 * 1024 * 1024;

    fn objects(home: &Path) -> Objects {
        std::fs::create_dir_all(home.join("objects")).expect("made");
        Objects::open(home).expect("opens")
    }

    /// Fills a stock with what a tree of these files is made of.
    fn fill(stock: &Stock, objects: &Objects, files: &[(&str, &str)]) -> Id {
        let empty = objects.put(Kind::Tree, b"").expect("stored");
        let blob = |content: &str| objects.put(Kind::Blob, content.as_bytes()).expect("stored");
        let files: Vec<_> = files
            .iter()
            .map(|(path, content)| (path.as_bytes(), EntryKind::Blob, blob(content)))
            .collect();
        let tree = objects.edit(&empty, &[], &files).expect("stored");
        let ids = Listing::of(objects, tree).expect("listed").ids().collect();
        stock.contents();
        stock.fill(&Demand { objects: objects.clone(), ids }, &Arc::new(Allowance::new(PLENTY)));
        tree
    }

    fn has(stock: &Stock, content: &str) -> bool {
        let id = gix_object::compute_hash(gix_hash::Kind::Sha1, Kind::Blob, content.as_bytes());
        stock.shelf().contents.get(&id.expect("hashed")).is_some()
    }

    #[test]
    fn w_15_files_that_were_laid_out_are_laid_out_again_without_the_repository() {
        let home = tempfile::tempdir().expect("a directory");
        let stock = Stock::default();
        let files = [("a", "one"), ("d/e/b", "two"), ("d/c", "")];
        let tree = fill(&stock, &objects(home.path()), &files);
        std::fs::rename(home.path().join("objects"), home.path().join("gone")).expect("moved");

        let objects = objects(home.path()).stocked(&stock);
        let listing = Listing::of(&objects, tree).expect("listed");
        let place = tempfile::tempdir().expect("a directory");
        let ground = Beneath::root(place.path()).expect("opens");
        let (stopped, rewritten) = (AtomicBool::new(false), BTreeSet::new());
        let writer = Writer {
            ground: &ground,
            pace: Pace::Hurried,
            stopped: &stopped,
            rewritten: &rewritten,
        };
        writer.write(&objects, &listing.files).expect("written");
        for (path, content) in files {
            let found = std::fs::read_to_string(place.path().join(path)).expect("there");
            assert_eq!(found, content);
        }
    }

    #[test]
    fn w_15_what_no_file_has_any_more_does_not_stay_for_ever() {
        let home = tempfile::tempdir().expect("a directory");
        let (stock, objects) = (Stock::default(), objects(home.path()));
        let (old, new) = ("o".repeat(5000), "n".repeat(4000));
        fill(&stock, &objects, &[("a", &old), ("b", "same")]);
        fill(&stock, &objects, &[("a", &old), ("b", "same"), ("c", &new)]);
        assert!(has(&stock, &old) && has(&stock, &new), "most of it is in use");
        fill(&stock, &objects, &[("a", "other"), ("b", "same")]);
        assert!(!has(&stock, &old) && !has(&stock, &new), "little of it was in use");
        assert!(has(&stock, "other") && has(&stock, "same"));
    }

    #[test]
    fn w_15_only_one_fills_and_only_when_something_is_missing() {
        let home = tempfile::tempdir().expect("a directory");
        let (stock, objects) = (Stock::default(), objects(home.path()));
        fill(&stock, &objects, &[("a", "one")]);
        let id = |content: &[u8]| objects.put(Kind::Blob, content).expect("stored");
        assert!(!stock.begin_filling(&[id(b"one")]), "it is there");
        assert!(stock.begin_filling(&[id(b"one"), id(b"two")]));
        assert!(!stock.begin_filling(&[id(b"two")]), "somebody else is at it");
    }

    #[test]
    fn w_15_memory_that_nobody_asks_for_is_given_back() {
        let home = tempfile::tempdir().expect("a directory");
        let (stock, objects) = (Stock::default(), objects(home.path()));
        fill(&stock, &objects, &[("a", "one")]);
        stock.drop_unused();
        assert!(has(&stock, "one"), "it was asked for");
        stock.drop_unused();
        assert!(!has(&stock, "one"), "nobody asked for it");
    }
}
