//! How much there is in a directory, without reading all of it.

use forge_domain::Timestamp;
use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

const MOST_ENTRIES: usize = 20_000;
const MEBIBYTE: u64 = 1024 * 1024;

/// What a directory holds, by a look that ends after so many entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// How large it is, roughly.
    pub size: SizeClass,
    /// When something in it last changed; none if it cannot be read.
    pub changed_at: Option<Timestamp>,
}

/// Roughly how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeClass {
    /// Nothing in it.
    Empty,
    /// Less than 10 MiB.
    Small,
    /// Less than 1 GiB.
    Medium,
    /// More, or more entries than were looked at.
    Large,
}

impl Extent {
    /// Looks; symlinks are not followed.
    pub(super) fn of(directory: &Path) -> Self {
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
                // Of the entry itself, not of what a symlink leads to.
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
            (0, _) => SizeClass::Empty,
            (entries, _) if entries > MOST_ENTRIES => SizeClass::Large,
            (_, bytes) if bytes < 10 * MEBIBYTE => SizeClass::Small,
            (_, bytes) if bytes < 1024 * MEBIBYTE => SizeClass::Medium,
            _ => SizeClass::Large,
        };
        Self { size, changed_at: newest.map(Timestamp::from_millis) }
    }
}

fn modified(metadata: &Metadata) -> Option<i64> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}
