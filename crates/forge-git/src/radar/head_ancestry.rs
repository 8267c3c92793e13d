use std::collections::{BTreeSet, HashMap};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// The part of a history in which some heads differ, with the heads that contain each commit.
#[derive(Debug)]
pub(crate) struct HeadAncestry {
    nodes: Vec<AncestryNode>,
    positions: HashMap<ObjectId, usize>,
}

#[derive(Debug)]
struct AncestryNode {
    id: ObjectId,
    children: Vec<usize>,
    /// One bit for each head.
    containing_heads: Vec<u64>,
}

impl AncestryNode {
    fn is_in_both(&self, one: usize, other: usize) -> bool {
        has_bit(&self.containing_heads, one) && has_bit(&self.containing_heads, other)
    }
}

fn has_bit(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
}

impl HeadAncestry {
    /// Loads the history with two git processes, however many heads there are. `None` if the heads share no commit,
    /// because then nothing bounds the history to read.
    pub(crate) async fn load(repo: &Repo, heads: &[ObjectId]) -> Result<Option<Self>, GitError> {
        let outcome = GitCommand::read_in_background(repo, "merge-base")
            .args(["--octopus", "--all"])
            .args(heads.iter().map(ObjectId::as_str))
            .output()
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
        // Children come before their parents, so that one pass propagates the heads that contain a commit.
        let list = GitCommand::read_in_background(repo, "rev-list")
            .args(["--topo-order", "--parents", "--stdin"])
            .input(input)
            .run()
            .await?;
        Ok(Some(Self::build(&list, heads, shared)))
    }

    fn build(list: &[u8], heads: &[ObjectId], shared: Vec<ObjectId>) -> Self {
        let lines: Vec<Vec<ObjectId>> =
            list.split(|byte| *byte == b'\n').map(read_ids).filter(|ids| !ids.is_empty()).collect();
        let words = heads.len().div_ceil(64);
        let mut ancestry = Self { nodes: Vec::new(), positions: HashMap::new() };
        for id in lines.iter().filter_map(|line| line.first()).chain(&shared) {
            let place = ancestry.nodes.len();
            if ancestry.positions.insert(id.clone(), place).is_none() {
                let node = AncestryNode {
                    id: id.clone(),
                    children: Vec::new(),
                    containing_heads: vec![0; words],
                };
                ancestry.nodes.push(node);
            }
        }
        for (place, head) in heads.iter().enumerate() {
            if let Some(node) = ancestry.node_mut(head)
                && let Some(word) = node.containing_heads.get_mut(place / 64)
            {
                *word |= 1 << (place % 64);
            }
        }
        for line in &lines {
            let Some((child, parents)) = line.split_first() else { continue };
            ancestry.propagate_heads(child, parents);
        }
        // Every head contains the shared commits, even along paths that are not listed.
        for id in &shared {
            if let Some(node) = ancestry.node_mut(id) {
                node.containing_heads.fill(u64::MAX);
            }
        }
        ancestry
    }

    fn node_mut(&mut self, id: &ObjectId) -> Option<&mut AncestryNode> {
        self.positions.get(id).and_then(|place| self.nodes.get_mut(*place))
    }

    fn propagate_heads(&mut self, child: &ObjectId, parents: &[ObjectId]) {
        let Some(from) = self.positions.get(child).copied() else { return };
        let Some(reached) = self.nodes.get(from).map(|node| node.containing_heads.clone()) else {
            return;
        };
        for parent in parents {
            // A parent that is not listed lies behind the shared commits, so it cannot be a best common ancestor.
            let Some(node) = self.node_mut(parent) else { continue };
            node.children.push(from);
            for (word, more) in node.containing_heads.iter_mut().zip(&reached) {
                *word |= more;
            }
        }
    }

    /// The best common ancestors of two heads: common ancestors from which no other common ancestor descends. Every
    /// commit between two common ancestors is one too, so checking the children is enough.
    pub(crate) fn bases(&self, one: usize, other: usize) -> BTreeSet<ObjectId> {
        let is_common =
            |place: &usize| self.nodes.get(*place).is_some_and(|node| node.is_in_both(one, other));
        self.nodes
            .iter()
            .filter(|node| node.is_in_both(one, other) && !node.children.iter().any(is_common))
            .map(|node| node.id.clone())
            .collect()
    }
}

/// The best common ancestors of two commits; empty if they share no history.
pub(crate) async fn bases_of_pair(
    repo: &Repo,
    one: &ObjectId,
    other: &ObjectId,
) -> Result<BTreeSet<ObjectId>, GitError> {
    let outcome = GitCommand::read_in_background(repo, "merge-base")
        .args(["--all", one.as_str(), other.as_str()])
        .output()
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
