use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gix_hash::ObjectId as Id;

/// What objects are gathered in, so that much memory is asked for, and given back, in few pieces.
const BLOCK_BYTES: usize = 1024 * 1024;
/// What is larger is read from the repository: the way there is short beside what is on it.
const MOST_BYTES: usize = 256 * 1024;

/// What objects hold, for reading without the repository. It never changes; one that knows more shares its blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    places: HashMap<Id, Place>,
    blocks: Vec<Arc<Block>>,
}

#[derive(Debug, Clone)]
struct Place {
    block: usize,
    range: Range<usize>,
}

impl Contents {
    pub(super) fn get(&self, id: &Id) -> Option<&[u8]> {
        let place = self.places.get(id)?;
        self.blocks.get(place.block)?.bytes.get(place.range.clone())
    }

    /// What these objects take in it.
    pub(super) fn bytes_of(&self, ids: &[Id]) -> usize {
        ids.iter().filter_map(|id| self.get(id)).map(<[u8]>::len).sum()
    }

    /// What it takes in all.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.len()).sum()
    }
}

/// How much memory all repositories together may use for it.
#[derive(Debug)]
pub(super) struct Allowance {
    most: usize,
    taken: AtomicUsize,
}

impl Allowance {
    pub(super) const fn new(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    /// A new block, if there is room.
    fn block(self: &Arc<Self>) -> Option<Block> {
        let taken = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
            taken.checked_add(BLOCK_BYTES).filter(|taken| *taken <= self.most)
        });
        taken.ok()?;
        Some(Block { bytes: Vec::with_capacity(BLOCK_BYTES), allowance: Arc::clone(self) })
    }
}

#[derive(Debug)]
struct Block {
    bytes: Vec<u8>,
    allowance: Arc<Allowance>,
}

impl Drop for Block {
    fn drop(&mut self) {
        self.allowance.taken.fetch_sub(BLOCK_BYTES, Ordering::Relaxed);
    }
}

/// Contents that get more.
#[derive(Debug)]
pub(super) struct Gathering {
    contents: Contents,
    filling: Option<Block>,
    allowance: Arc<Allowance>,
}

impl Gathering {
    pub(super) fn begin(known: &Contents, allowance: &Arc<Allowance>) -> Self {
        Self { contents: known.clone(), filling: None, allowance: Arc::clone(allowance) }
    }

    /// Adds what an object holds. False when there is no room for any more.
    pub(super) fn add(&mut self, id: Id, content: &[u8]) -> bool {
        if content.len() > MOST_BYTES || self.contents.places.contains_key(&id) {
            return true;
        }
        let fits = |block: &Block| block.bytes.len().saturating_add(content.len()) <= BLOCK_BYTES;
        if !self.filling.as_ref().is_some_and(fits) {
            self.close();
            self.filling = self.allowance.block();
        }
        let Some(block) = &mut self.filling else { return false };
        let start = block.bytes.len();
        block.bytes.extend_from_slice(content);
        let range = start..block.bytes.len();
        self.contents.places.insert(id, Place { block: self.contents.blocks.len(), range });
        true
    }

    pub(super) fn finish(mut self) -> Contents {
        self.close();
        self.contents
    }

    fn close(&mut self) {
        self.contents.blocks.extend(self.filling.take().map(Arc::new));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn id(number: u8) -> Id {
        Id::from_bytes_or_panic(&[number; 20])
    }

    #[test]
    fn w_15_all_that_was_added_is_found_while_there_is_room() {
        let allowance = Arc::new(Allowance::new(2 * BLOCK_BYTES));
        let content = |number: u8| vec![number; MOST_BYTES];
        let mut gathering = Gathering::begin(&Contents::default(), &allowance);
        assert!((0..8).all(|number| gathering.add(id(number), &content(number))));
        assert!(!gathering.add(id(8), &content(8)), "two blocks are full");
        let contents = gathering.finish();
        for number in 0..8 {
            assert_eq!(contents.get(&id(number)), Some(content(number).as_slice()));
        }
        assert_eq!(contents.get(&id(8)), None);
        assert_eq!(contents.bytes(), 2 * BLOCK_BYTES);
        drop(contents);
        assert_eq!(allowance.taken.load(Ordering::Relaxed), 0, "given back");
    }

    #[test]
    fn w_15_what_knows_more_knows_the_old_as_well() {
        let allowance = Arc::new(Allowance::new(4 * BLOCK_BYTES));
        let mut gathering = Gathering::begin(&Contents::default(), &allowance);
        gathering.add(id(1), b"one");
        gathering.add(id(2), b"");
        let first = gathering.finish();
        let mut gathering = Gathering::begin(&first, &allowance);
        gathering.add(id(3), b"three");
        gathering.add(id(4), &vec![0; MOST_BYTES + 1]);
        let second = gathering.finish();
        drop(first);
        assert_eq!(second.get(&id(1)), Some(b"one".as_slice()));
        assert_eq!(second.get(&id(2)), Some(b"".as_slice()));
        assert_eq!(second.get(&id(3)), Some(b"three".as_slice()));
        assert_eq!(second.get(&id(4)), None, "too large");
        assert_eq!(second.bytes_of(&[id(1), id(3), id(4)]), 8);
    }
}
