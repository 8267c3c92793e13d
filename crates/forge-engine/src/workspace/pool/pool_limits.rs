//! Size limits of pools.

/// Limits for all pools of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolLimits {
    /// Worktrees that are ready per repository at least, also without recent claims; 0 means no pool.
    pub size: usize,
    /// Disk space that all pools together may use.
    pub disk_bytes: u64,
}

impl PoolLimits {
    /// Disables the pool.
    pub const NONE: Self = Self { size: 0, disk_bytes: 0 };
}
