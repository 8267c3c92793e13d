//! How large pools may be.

/// The numbers of all pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolLimits {
    /// Worktrees that wait per repository; none means no pool.
    pub size: usize,
    /// What all of them together may take on the disk.
    pub disk_bytes: u64,
}

impl PoolLimits {
    /// No pool at all.
    pub const NONE: Self = Self { size: 0, disk_bytes: 0 };
}
