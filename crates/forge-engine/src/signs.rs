//! Signs of life of a run: what its log and its files tell without asking it.

use forge_domain::Timestamp;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Beyond this many files a look is cut off: it then says less, and costs no more.
const MOST_FILES: usize = 200_000;

/// How many files there are, and when the last of them changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Footprint {
    count: usize,
    seconds: i64,
    nanoseconds: i64,
}

impl Footprint {
    /// That of a directory. Links are not followed; what cannot be read is left out.
    pub(crate) fn of(place: &Path) -> Self {
        let mut found = Self::default();
        let mut directories = vec![place.to_owned()];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                let Ok(metadata) = entry.metadata() else { continue };
                found.take(metadata.ctime(), metadata.ctime_nsec());
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

    /// When the last file changed, by the machine's clock.
    pub(crate) fn newest(self) -> Option<Timestamp> {
        let millis = self.seconds.saturating_mul(1000).saturating_add(self.nanoseconds / 1_000_000);
        (self.count > 0).then(|| Timestamp::from_millis(millis))
    }

    fn take(&mut self, seconds: i64, nanoseconds: i64) {
        self.count += 1;
        (self.seconds, self.nanoseconds) =
            (self.seconds, self.nanoseconds).max((seconds, nanoseconds));
    }
}

/// How much a run has printed, and when it last did, by the machine's clock.
pub(crate) fn printed(log: &Path) -> (u64, Option<Timestamp>) {
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
        let before = Footprint::of(place.path());
        std::fs::write(elsewhere.path().join("f"), "x").unwrap();
        assert_eq!(Footprint::of(place.path()), before);
        std::fs::create_dir(place.path().join("d")).unwrap();
        std::fs::write(place.path().join("d/f"), "x").unwrap();
        assert_ne!(Footprint::of(place.path()), before);
        assert_eq!(Footprint::of(&place.path().join("none")).newest(), None);
    }
}
