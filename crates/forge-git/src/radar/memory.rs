use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::object_id::ObjectId;
use crate::radar::meeting::{Meeting, Side};

/// What decides a merge: both trees, and what they have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    trees: [ObjectId; 2],
    bases: Vec<ObjectId>,
}

impl Key {
    /// The same for either order of the two.
    pub(super) fn of(one: &Side, other: &Side, bases: &BTreeSet<ObjectId>) -> Self {
        let mut trees = [one.tree.clone(), other.tree.clone()];
        trees.sort();
        Self { trees, bases: bases.iter().cloned().collect() }
    }
}

/// Merges that were tried, by what decides them. The oldest are forgotten first.
#[derive(Debug)]
pub struct MeetingMemory {
    known: HashMap<Key, Meeting>,
    order: VecDeque<Key>,
    most: usize,
}

impl MeetingMemory {
    /// One that remembers so many.
    pub fn new(most: usize) -> Self {
        Self { known: HashMap::new(), order: VecDeque::new(), most }
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Meeting> {
        self.known.get(key)
    }

    pub(super) fn insert(&mut self, key: Key, meeting: Meeting) {
        if self.known.insert(key.clone(), meeting).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > self.most {
            if let Some(oldest) = self.order.pop_front() {
                self.known.remove(&oldest);
            }
        }
    }

    /// How many it knows.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
