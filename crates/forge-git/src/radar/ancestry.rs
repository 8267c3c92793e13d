use std::collections::{BTreeSet, HashMap};

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;

/// The part of a history in which some heads differ, and for each commit which of the heads contain it.
#[derive(Debug)]
pub(super) struct Ancestry {
    nodes: Vec<Node>,
    places: HashMap<ObjectId, usize>,
}

#[derive(Debug)]
struct Node {
    id: ObjectId,
    children: Vec<usize>,
    /// One bit for each head.
    reached: Vec<u64>,
}

impl Node {
    fn is_in_both(&self, one: usize, other: usize) -> bool {
        has(&self.reached, one) && has(&self.reached, other)
    }
}

fn has(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
}

impl Ancestry {
    /// Reads it with two processes, however many heads there are. `None` where they have no commit in common, and so
    /// nothing says where to stop reading.
    pub(super) async fn load(repo: &Repo, heads: &[ObjectId]) -> Result<Option<Self>, GitError> {
        let outcome = Command::background(repo, "merge-base")
            .args(["--octopus", "--all"])
            .args(heads.iter().map(ObjectId::as_str))
            .outcome()
            .await?;
        let shared = match outcome.code() {
            Some(0) => read_ids(outcome.stdout()),
            Some(1) => return Ok(None),
            _ => return Err(outcome.into_error()),
        };
        let mut input = String::new();
        for head in heads {
            input.push_str(&format!("{head}\n"));
        }
        for stop in &shared {
            input.push_str(&format!("^{stop}\n"));
        }
        // Children before their parents, so that one pass hands on what reaches a commit.
        let list = Command::background(repo, "rev-list")
            .args(["--topo-order", "--parents", "--stdin"])
            .input(input)
            .run()
            .await?;
        Ok(Some(Self::assemble(&list, heads, shared)))
    }

    fn assemble(list: &[u8], heads: &[ObjectId], shared: Vec<ObjectId>) -> Self {
        let lines: Vec<Vec<ObjectId>> =
            list.split(|byte| *byte == b'\n').map(read_ids).filter(|ids| !ids.is_empty()).collect();
        let words = heads.len().div_ceil(64);
        let mut ancestry = Self { nodes: Vec::new(), places: HashMap::new() };
        for id in lines.iter().filter_map(|line| line.first()).chain(&shared) {
            let place = ancestry.nodes.len();
            if ancestry.places.insert(id.clone(), place).is_none() {
                let node = Node { id: id.clone(), children: Vec::new(), reached: vec![0; words] };
                ancestry.nodes.push(node);
            }
        }
        for (place, head) in heads.iter().enumerate() {
            if let Some(node) = ancestry.place_mut(head)
                && let Some(word) = node.reached.get_mut(place / 64)
            {
                *word |= 1 << (place % 64);
            }
        }
        for line in &lines {
            let Some((child, parents)) = line.split_first() else { continue };
            ancestry.hand_on(child, parents);
        }
        // Every head contains these, whichever way that is not listed.
        for id in &shared {
            if let Some(node) = ancestry.place_mut(id) {
                node.reached.fill(u64::MAX);
            }
        }
        ancestry
    }

    fn place_mut(&mut self, id: &ObjectId) -> Option<&mut Node> {
        self.places.get(id).and_then(|place| self.nodes.get_mut(*place))
    }

    fn hand_on(&mut self, child: &ObjectId, parents: &[ObjectId]) {
        let Some(from) = self.places.get(child).copied() else { return };
        let Some(reached) = self.nodes.get(from).map(|node| node.reached.clone()) else { return };
        for parent in parents {
            // One that is not listed lies behind what all have in common, and is nobody's best common ancestor.
            let Some(node) = self.place_mut(parent) else { continue };
            node.children.push(from);
            for (word, more) in node.reached.iter_mut().zip(&reached) {
                *word |= more;
            }
        }
    }

    /// The best common ancestors of two heads: those that no other common ancestor descends from. Whatever lies between
    /// two common ancestors is one too, so looking at children is enough.
    pub(super) fn bases(&self, one: usize, other: usize) -> BTreeSet<ObjectId> {
        let is_common =
            |place: &usize| self.nodes.get(*place).is_some_and(|node| node.is_in_both(one, other));
        self.nodes
            .iter()
            .filter(|node| node.is_in_both(one, other) && !node.children.iter().any(is_common))
            .map(|node| node.id.clone())
            .collect()
    }
}

/// The best common ancestors of two commits; none where they share no history.
pub(super) async fn bases_of_pair(
    repo: &Repo,
    one: &ObjectId,
    other: &ObjectId,
) -> Result<BTreeSet<ObjectId>, GitError> {
    let outcome = Command::background(repo, "merge-base")
        .args(["--all", one.as_str(), other.as_str()])
        .outcome()
        .await?;
    match outcome.code() {
        Some(0) => Ok(read_ids(outcome.stdout()).into_iter().collect()),
        Some(1) => Ok(BTreeSet::new()),
        _ => Err(outcome.into_error()),
    }
}

fn read_ids(text: &[u8]) -> Vec<ObjectId> {
    let text = String::from_utf8_lossy(text);
    text.split_ascii_whitespace().filter_map(|word| ObjectId::new(word).ok()).collect()
}
