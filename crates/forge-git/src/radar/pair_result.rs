use crate::refs::object_id::ObjectId;

/// One side of a merge: a branch, or uncommitted work on top of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MergeSide {
    /// The last commit of its history.
    pub head: ObjectId,
    /// The commit whose files are merged: the head, or a journal entry that was written on top of it. Its parents are
    /// ignored, because an entry also has parents outside of the branch's history.
    pub content: ObjectId,
    /// The tree of those files.
    pub tree: ObjectId,
    /// The commit where the branch left its target. Differences from there are the side's own changes, and a conflict
    /// in other files is not its own. `None` if unknown; then every difference from the merge base counts.
    pub fork: Option<ObjectId>,
}

/// The result of merging two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairResult {
    /// The merge succeeds.
    Clean,
    /// The sides conflict.
    Conflict {
        /// Sorted paths from the top level, lossily converted to UTF-8. Empty only if git names none.
        files: Vec<String>,
    },
}

impl PairResult {
    /// Whether the two sides conflict.
    pub fn has_conflict(&self) -> bool {
        matches!(self, Self::Conflict { .. })
    }
}
