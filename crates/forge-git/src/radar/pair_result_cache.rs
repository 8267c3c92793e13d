use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::radar::pair_result::{MergeSide, PairResult};
use crate::refs::object_id::ObjectId;

/// Everything that determines a merge: both trees, each side's fork point, and the merge bases.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PairKey {
    trees: [(ObjectId, Option<ObjectId>); 2],
    bases: Vec<ObjectId>,
}

impl PairKey {
    /// The same key for either order of the two sides.
    pub(crate) fn of(one: &MergeSide, other: &MergeSide, bases: &BTreeSet<ObjectId>) -> Self {
        let mut trees = [one, other].map(|side| (side.tree.clone(), side.fork.clone()));
        trees.sort();
        Self { trees, bases: bases.iter().cloned().collect() }
    }
}

/// A cache of merge results by everything that determines them. Drops the oldest results first.
#[derive(Debug)]
pub struct PairResultCache {
    results: HashMap<PairKey, PairResult>,
    order: VecDeque<PairKey>,
    capacity: usize,
}

impl PairResultCache {
    /// A cache with room for `most` results.
    pub fn new(capacity: usize) -> Self {
        Self { results: HashMap::new(), order: VecDeque::new(), capacity }
    }

    pub(crate) fn get(&self, key: &PairKey) -> Option<&PairResult> {
        self.results.get(key)
    }

    pub(crate) fn insert(&mut self, key: PairKey, meeting: PairResult) {
        if self.results.insert(key.clone(), meeting).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > self.capacity {
            if let Some(oldest) = self.order.pop_front() {
                self.results.remove(&oldest);
            }
        }
    }

    /// The number of cached results.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}
