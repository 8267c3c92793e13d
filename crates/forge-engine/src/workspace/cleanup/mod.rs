//! Cleanup of disk space: previews what the removal of a workspace would do, and lists directories without a live task (W-7, W-10).
//! It reads only; the removal itself is an effect, and orphans are reported, never deleted. So a crash leaves nothing.

pub(crate) mod directory_extent;
pub(crate) mod orphan;
pub(crate) mod removal_preview;

pub use crate::workspace::cleanup::directory_extent::{DirectoryExtent, DirectorySize};
pub use crate::workspace::cleanup::orphan::{OrphanCause, OrphanDirectory, OrphanRecord};
pub use crate::workspace::cleanup::removal_preview::{RemovalDecision, WorkspaceRemoval};
