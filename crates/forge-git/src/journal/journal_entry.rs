use serde::{Deserialize, Serialize};

use crate::command::git_error::GitError;
use crate::journal::workspace_snapshot::WorkspaceSnapshot;
use crate::refs::object_id::ObjectId;

/// Why an entry was written (W-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalReason {
    /// An execution ended.
    TurnEnd,
    /// An execution was stopped.
    Stop,
    /// Before edits are discarded.
    BeforeReset,
    /// Before other work is merged in.
    BeforeRebase,
    /// Before the directory is removed.
    BeforeRemoval,
    /// At an interval while an agent works.
    Periodic,
    /// Before another entry is restored.
    BeforeRestore,
    /// The workspace does not match Forge's records (W-6).
    Corrupted,
}

impl JournalReason {
    const ALL: [Self; 8] = [
        Self::TurnEnd,
        Self::Stop,
        Self::BeforeReset,
        Self::BeforeRebase,
        Self::BeforeRemoval,
        Self::Periodic,
        Self::BeforeRestore,
        Self::Corrupted,
    ];

    /// The stored name of the reason.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TurnEnd => "turn_end",
            Self::Stop => "stop",
            Self::BeforeReset => "before_reset",
            Self::BeforeRebase => "before_rebase",
            Self::BeforeRemoval => "before_removal",
            Self::Periodic => "periodic",
            Self::BeforeRestore => "before_restore",
            Self::Corrupted => "corrupted",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// One saved state of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// Counts up from 1 in each task's journal and is never reused.
    pub number: u64,
    /// The commit that holds the entry.
    pub commit: ObjectId,
    /// The tree of its files.
    pub tree: ObjectId,
    /// When it was written, in seconds since 1970 (UTC).
    pub at: i64,
    pub reason: JournalReason,
    /// The execution that it was written for.
    pub execution: Option<String>,
    /// The reference that HEAD named, or a note that it named none.
    pub head_ref: String,
    /// The commit that HEAD was on.
    pub head: Option<ObjectId>,
    /// The tree of staged content that is neither in the commit nor in the files.
    pub staged: Option<ObjectId>,
    /// Whether the files differ from that commit.
    pub has_changes: bool,
    /// Whether there were files to save.
    pub has_files: bool,
    /// Paths that could not be read.
    pub skipped: Vec<String>,
}

const REASON: &str = "Forge-Journal";
const EXECUTION: &str = "Forge-Execution";
const HEAD_REF: &str = "Forge-On";
const HEAD: &str = "Forge-Head";
const STAGED: &str = "Forge-Staged";
const DIFFERS: &str = "Forge-Differs";
const FILES: &str = "Forge-Files";
const SKIPPED: &str = "Forge-Skipped";
/// Further skipped paths are only counted.
const MAX_SKIPPED: usize = 50;

impl JournalEntry {
    /// The format for `for-each-ref`; each field ends with a zero byte.
    pub(crate) const FORMAT: &'static str = "--format=%(refname:lstrip=4)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents)%00";

    /// Parses the entries from the output of `for-each-ref`, oldest first. References that are not entries are
    /// skipped.
    pub(crate) fn parse_all(list: &[u8]) -> Result<Vec<Self>, GitError> {
        let fields: Vec<&[u8]> = list.split(|byte| *byte == 0).collect();
        let mut entries: Vec<Self> = fields.chunks_exact(5).filter_map(Self::parse).collect();
        entries.sort_by_key(|entry| entry.number);
        Ok(entries)
    }

    fn parse(fields: &[&[u8]]) -> Option<Self> {
        let [number, commit, tree, at, message] = fields else { return None };
        let text = |field: &[u8]| String::from_utf8_lossy(field.trim_ascii()).into_owned();
        let message = text(message);
        let all = |key: &'static str| {
            message.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "))
        };
        let one = |key| all(key).next();
        Some(Self {
            number: text(number).parse().ok()?,
            commit: ObjectId::new(text(commit)).ok()?,
            tree: ObjectId::new(text(tree)).ok()?,
            at: text(at).parse().ok()?,
            reason: JournalReason::parse(one(REASON)?)?,
            execution: one(EXECUTION).map(str::to_owned),
            head_ref: one(HEAD_REF).unwrap_or_default().to_owned(),
            head: one(HEAD).and_then(|id| ObjectId::new(id).ok()),
            staged: one(STAGED).and_then(|id| ObjectId::new(id).ok()),
            has_changes: one(DIFFERS) == Some("yes"),
            has_files: one(FILES) == Some("yes"),
            skipped: all(SKIPPED).map(str::to_owned).collect(),
        })
    }

    /// Whether the entry holds the same state as the snapshot.
    pub(crate) fn is_same(&self, snapshot: &WorkspaceSnapshot) -> bool {
        self.tree == snapshot.tree
            && self.head == snapshot.head
            && self.head_ref == snapshot.head_ref
            && self.has_files == snapshot.has_files
            && snapshot.staged.as_ref().is_none_or(|staged| self.staged.as_ref() == Some(staged))
            && snapshot.unreferenced_commits.is_empty()
    }
}

/// The commit message of an entry.
pub(crate) fn entry_message(
    task: &str,
    number: u64,
    reason: JournalReason,
    execution: Option<&str>,
    snapshot: &WorkspaceSnapshot,
) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let mut text = format!("Journal {number} of {task}: {}\n\n", reason.as_str());
    let mut line = |key: &str, value: &str| text.push_str(&format!("{key}: {value}\n"));
    line(REASON, reason.as_str());
    if let Some(execution) = execution {
        line(EXECUTION, &execution.escape_debug().to_string());
    }
    line(HEAD_REF, &snapshot.head_ref);
    if let Some(head) = &snapshot.head {
        line(HEAD, head.as_str());
    }
    if let Some(staged) = &snapshot.staged {
        line(STAGED, staged.as_str());
    }
    line(DIFFERS, yes(snapshot.has_changes));
    line(FILES, yes(snapshot.has_files));
    for path in snapshot.skipped.iter().take(MAX_SKIPPED) {
        line(SKIPPED, &path.escape_debug().to_string());
    }
    if snapshot.skipped.len() > MAX_SKIPPED {
        line(SKIPPED, &format!("and {} more", snapshot.skipped.len() - MAX_SKIPPED));
    }
    text
}
