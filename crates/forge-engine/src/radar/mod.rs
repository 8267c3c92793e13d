//! The conflict radar (M-14): which live branches of a repository clash with each other. A branch that moved is merged
//! with all others in the object database; everybody else's work goes first.

mod conflicts;
mod look;
mod notices;
mod record;
mod standing;
mod watch;

pub use conflicts::{Conflict, Conflicts, LiveBranch};
pub use look::Looked;
pub(crate) use notices::{Notices, moves_a_branch};
