//! Signs of life of an execution, read from its log and its files.

use forge_domain::Timestamp;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The scan stops after this many files; it then reports less, at bounded cost.
const MOST_FILES: usize = 200_000;

/// The number of files, and the newest change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FileActivity {
    count: usize,
    seconds: i64,
    nanoseconds: i64,
}

impl FileActivity {
    /// Scans a directory. Does not follow links, and skips unreadable entries.
    pub(crate) fn scan(place: &Path) -> Self {
        let mut found = Self::default();
        let mut directories = vec![place.to_owned()];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                let Ok(metadata) = entry.metadata() else { continue };
                found.add_entry(metadata.ctime(), metadata.ctime_nsec());
                if found.count >= MOST_FILES {
                    return found;
                }
                if metadata.is_dir() {
                    directories.push(entry.path());
                }
            }
        }
        found
    }

    /// Time of the newest change, by the machine's clock.
    pub(crate) fn newest(self) -> Option<Timestamp> {
        let millis = self.seconds.saturating_mul(1000).saturating_add(self.nanoseconds / 1_000_000);
        (self.count > 0).then(|| Timestamp::from_millis(millis))
    }

    fn add_entry(&mut self, seconds: i64, nanoseconds: i64) {
        self.count += 1;
        (self.seconds, self.nanoseconds) =
            (self.seconds, self.nanoseconds).max((seconds, nanoseconds));
    }
}

/// The size of an execution's output, and the time of its last write by the machine's clock.
pub(crate) fn output_activity(log: &Path) -> (u64, Option<Timestamp>) {
    let Ok(found) = std::fs::metadata(log) else { return (0, None) };
    let millis = found.mtime().saturating_mul(1000).saturating_add(found.mtime_nsec() / 1_000_000);
    (found.len(), (found.len() > 0).then(|| Timestamp::from_millis(millis)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn t_23_a_changed_file_is_a_sign_of_life_and_a_link_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), place.path().join("link")).unwrap();
        let before = FileActivity::scan(place.path());
        std::fs::write(elsewhere.path().join("f"), "x").unwrap();
        assert_eq!(FileActivity::scan(place.path()), before);
        std::fs::create_dir(place.path().join("d")).unwrap();
        std::fs::write(place.path().join("d/f"), "x").unwrap();
        assert_ne!(FileActivity::scan(place.path()), before);
        assert_eq!(FileActivity::scan(&place.path().join("none")).newest(), None);
    }
}
