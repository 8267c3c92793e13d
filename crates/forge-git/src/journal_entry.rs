use serde::{Deserialize, Serialize};

use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::snapshot::Snapshot;

/// Why an entry was written (W-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalReason {
    /// An execution ended.
    TurnEnd,
    /// An execution was stopped.
    Stop,
    /// Edits are about to be thrown away.
    BeforeReset,
    /// Other work is about to be merged in.
    BeforeRebase,
    /// The directory is about to go.
    BeforeRemoval,
    /// An agent has worked for a while.
    Periodic,
    /// Another entry is about to take its place.
    BeforeRestore,
    /// The workspace is not what was made (W-6).
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

    /// The word for it.
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
    /// Counts up from 1 in each task's journal; never used twice.
    pub number: u64,
    /// The commit that holds it.
    pub commit: ObjectId,
    /// Its files.
    pub tree: ObjectId,
    /// When, in seconds since 1970 (UTC).
    pub at: i64,
    /// Why.
    pub reason: JournalReason,
    /// On whose behalf.
    pub execution: Option<String>,
    /// What HEAD said: a full reference name, or that it was on none.
    pub on: String,
    /// The commit it was on.
    pub head: Option<ObjectId>,
    /// What was staged and is neither in the commit nor in the files, as a tree.
    pub staged: Option<ObjectId>,
    /// Whether the files differ from that commit.
    pub differs: bool,
    /// Whether there were files to save.
    pub has_files: bool,
    /// What could not be read.
    pub skipped: Vec<String>,
}

const REASON: &str = "Forge-Journal";
const EXECUTION: &str = "Forge-Execution";
const ON: &str = "Forge-On";
const HEAD: &str = "Forge-Head";
const STAGED: &str = "Forge-Staged";
const DIFFERS: &str = "Forge-Differs";
const FILES: &str = "Forge-Files";
const SKIPPED: &str = "Forge-Skipped";
/// A list that nobody reads to its end needs none.
const MOST_SKIPPED: usize = 50;

impl JournalEntry {
    /// What `for-each-ref` is asked for; each field ends with a zero byte.
    pub(crate) const FORMAT: &'static str = "--format=%(refname:lstrip=4)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents)%00";

    /// The entries among what `for-each-ref` listed, oldest first. References that are not entries are passed over.
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
            on: one(ON).unwrap_or_default().to_owned(),
            head: one(HEAD).and_then(|id| ObjectId::new(id).ok()),
            staged: one(STAGED).and_then(|id| ObjectId::new(id).ok()),
            differs: one(DIFFERS) == Some("yes"),
            has_files: one(FILES) == Some("yes"),
            skipped: all(SKIPPED).map(str::to_owned).collect(),
        })
    }

    /// Whether writing the snapshot down would say nothing new.
    pub(crate) fn is_same(&self, snapshot: &Snapshot) -> bool {
        self.tree == snapshot.tree
            && self.head == snapshot.head
            && self.on == snapshot.on
            && self.has_files == snapshot.has_files
            && snapshot.staged.as_ref().is_none_or(|staged| self.staged.as_ref() == Some(staged))
            && snapshot.strays.is_empty()
    }
}

/// The message of an entry's commit.
pub(crate) fn message(
    task: &str,
    number: u64,
    reason: JournalReason,
    execution: Option<&str>,
    snapshot: &Snapshot,
) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let mut text = format!("Journal {number} of {task}: {}\n\n", reason.as_str());
    let mut line = |key: &str, value: &str| text.push_str(&format!("{key}: {value}\n"));
    line(REASON, reason.as_str());
    if let Some(execution) = execution {
        line(EXECUTION, &execution.escape_debug().to_string());
    }
    line(ON, &snapshot.on);
    if let Some(head) = &snapshot.head {
        line(HEAD, head.as_str());
    }
    if let Some(staged) = &snapshot.staged {
        line(STAGED, staged.as_str());
    }
    line(DIFFERS, yes(snapshot.differs));
    line(FILES, yes(snapshot.has_files));
    for path in snapshot.skipped.iter().take(MOST_SKIPPED) {
        line(SKIPPED, &path.escape_debug().to_string());
    }
    if snapshot.skipped.len() > MOST_SKIPPED {
        line(SKIPPED, &format!("and {} more", snapshot.skipped.len() - MOST_SKIPPED));
    }
    text
}
