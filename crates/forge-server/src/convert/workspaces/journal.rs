//! Converts journal entries (W-14).

use forge_api::{JournalAgainst, JournalDiff, JournalEntry, JournalReason};
use forge_domain::Timestamp;
use forge_engine::{EntryComparison, EntryDiff};

use crate::convert::time::rfc3339;
use crate::convert::workspaces::diff::file;

/// Converts an entry to the wire type.
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
        branch: entry.head_ref.strip_prefix("refs/heads/").map(str::to_owned),
        head: entry.head.as_ref().map(ToString::to_string),
        differs: entry.has_changes,
        has_files: entry.has_files,
        skipped: entry.skipped.clone(),
    }
}

/// Converts the comparison that a client asks for.
pub(crate) fn comparison(against: JournalAgainst) -> EntryComparison {
    match against {
        JournalAgainst::Previous => EntryComparison::Previous,
        JournalAgainst::Base => EntryComparison::Base,
        JournalAgainst::Files => EntryComparison::Files,
    }
}

/// Converts a comparison to the wire type.
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
