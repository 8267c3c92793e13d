//! Estimates the size of a directory without reading all of it.

use forge_domain::Timestamp;
use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

const MOST_ENTRIES: usize = 20_000;
const MEBIBYTE: u64 = 1024 * 1024;

/// The content of a directory, by a scan with an entry limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectoryExtent {
    pub size: DirectorySize,
    /// Time of the newest change; `None` if unreadable.
    pub changed_at: Option<Timestamp>,
}

/// Approximate size of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectorySize {
    Empty,
    /// Less than 10 MiB.
    Small,
    /// Less than 1 GiB.
    Medium,
    /// At least 1 GiB, or more entries than scanned.
    Large,
}

impl DirectoryExtent {
    /// Scans a directory without following symlinks.
    pub(crate) fn scan(directory: &Path) -> Self {
        let (mut bytes, mut entries) = (0_u64, 0_usize);
        let mut newest = std::fs::symlink_metadata(directory).ok().as_ref().and_then(modified);
        let mut waiting = vec![directory.to_owned()];
        'look: while let Some(directory) = waiting.pop() {
            let Ok(found) = std::fs::read_dir(&directory) else { continue };
            for entry in found.flatten() {
                entries += 1;
                if entries > MOST_ENTRIES {
                    break 'look;
                }
                // Metadata of the entry itself, not of a symlink's target.
                let Ok(metadata) = entry.metadata() else { continue };
                newest = newest.max(modified(&metadata));
                if metadata.is_dir() {
                    waiting.push(entry.path());
                } else {
                    bytes = bytes.saturating_add(metadata.len());
                }
            }
        }
        let size = match (entries, bytes) {
            (0, _) => DirectorySize::Empty,
            (entries, _) if entries > MOST_ENTRIES => DirectorySize::Large,
            (_, bytes) if bytes < 10 * MEBIBYTE => DirectorySize::Small,
            (_, bytes) if bytes < 1024 * MEBIBYTE => DirectorySize::Medium,
            _ => DirectorySize::Large,
        };
        Self { size, changed_at: newest.map(Timestamp::from_millis) }
    }
}

fn modified(metadata: &Metadata) -> Option<i64> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}
