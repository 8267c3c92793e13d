//! The saved states of a task's workspace (W-14).

use forge_api::{JournalAgainst, JournalDiff, JournalEntry, JournalReason};
use forge_domain::Timestamp;
use forge_engine::{Compared, EntryDiff};

use super::diff::file;
use super::time::rfc3339;

/// An entry as clients see it.
pub(crate) fn entry(entry: &forge_engine::JournalEntry) -> JournalEntry {
    JournalEntry {
        number: entry.number,
        at: rfc3339(Timestamp::from_millis(entry.at.saturating_mul(1000))),
        reason: match entry.reason {
            forge_engine::JournalReason::TurnEnd => JournalReason::TurnEnd,
            forge_engine::JournalReason::Stop => JournalReason::Stop,
            forge_engine::JournalReason::BeforeReset => JournalReason::BeforeReset,
            forge_engine::JournalReason::BeforeRemoval => JournalReason::BeforeRemoval,
            forge_engine::JournalReason::BeforeRebase => JournalReason::BeforeRebase,
            forge_engine::JournalReason::Periodic => JournalReason::Periodic,
            forge_engine::JournalReason::BeforeRestore => JournalReason::BeforeRestore,
            forge_engine::JournalReason::Corrupted => JournalReason::Corrupted,
        },
        execution_id: entry.execution.as_deref().and_then(|id| id.parse().ok()),
        commit: entry.commit.to_string(),
        branch: entry.on.strip_prefix("refs/heads/").map(str::to_owned),
        head: entry.head.as_ref().map(ToString::to_string),
        differs: entry.differs,
        has_files: entry.has_files,
        skipped: entry.skipped.clone(),
    }
}

/// What to compare with, as clients ask for it.
pub(crate) fn compared(against: JournalAgainst) -> Compared {
    match against {
        JournalAgainst::Previous => Compared::Previous,
        JournalAgainst::Base => Compared::Base,
        JournalAgainst::Files => Compared::Files,
    }
}

/// A comparison as clients see it.
pub(crate) fn diff(number: u64, against: JournalAgainst, found: EntryDiff) -> JournalDiff {
    JournalDiff {
        number,
        against,
        base: found.old,
        head: found.new,
        files: found.diff.files.into_iter().map(file).collect(),
        truncated: found.diff.truncated,
    }
}
