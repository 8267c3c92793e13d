use rustix::fs::Stat;

/// The metadata that an index remembers of a file, so that git need not read the file again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct IndexEntryStat(pub(crate) [u32; 9]);

/// Where the device is among the words of a stamp.
const DEVICE: usize = 4;
/// Where the kind of file is among the ten words of an entry.
pub(crate) const MODE: usize = 6;

impl IndexEntryStat {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "git keeps the low half of each figure"
    )]
    pub(crate) fn of(found: &Stat) -> Self {
        Self([
            found.st_ctime as u32,
            found.st_ctime_nsec as u32,
            found.st_mtime as u32,
            found.st_mtime_nsec as u32,
            found.st_dev as u32,
            found.st_ino as u32,
            found.st_uid,
            found.st_gid,
            found.st_size as u32,
        ])
    }

    /// Whether both are of the same unchanged file. Git does not compare devices either: a disk can get another number
    /// when the machine starts.
    pub(crate) fn is_same_file(self, other: Self) -> bool {
        let without_device = |mut stamp: Self| {
            stamp.0[DEVICE] = 0;
            stamp
        };
        without_device(self) == without_device(other)
    }
}
