use crate::object_id::ObjectId;

/// One of the two that are merged: a branch, or what is uncommitted on top of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Side {
    /// The commit its history ends with.
    pub head: ObjectId,
    /// The commit whose files count: the same, or an entry of the journal that was written on top of it. Its parents do
    /// not count, because an entry has some that are no history of the branch.
    pub content: ObjectId,
    /// The tree of those files.
    pub tree: ObjectId,
}

/// What merging two sides would give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meeting {
    /// One merges into the other.
    Clean,
    /// They clash.
    Clash {
        /// Where: paths from the top level, as UTF-8 as far as they are, sorted. Empty only where git names none.
        files: Vec<String>,
    },
}

impl Meeting {
    /// Whether a person would have to decide something.
    pub fn is_clash(&self) -> bool {
        matches!(self, Self::Clash { .. })
    }
}
