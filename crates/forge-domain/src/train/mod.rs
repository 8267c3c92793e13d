//! The merge train (M-11, M-12): which branches are tested together, in which order they land, and which are evicted.
//! Pure: the engine handles branches, trees and checks.
//!
//! A candidate starts untested. Its checks run (`Test`), and a first failure is retried on the same tree (`Retest`).
//! The first candidate of the chain lands once its tree passes; it is evicted after a second failure, a conflict, or
//! without changes. The planner keeps everything in memory: after a crash the engine adds the candidates again,
//! receipts restore passed results, and failures are counted anew.

mod candidate;
mod instruction;
mod planner;
mod window;

pub use crate::train::candidate::TrainCandidate;
pub use crate::train::instruction::{ChainLink, PlannerInstruction, TrialState, instructions};
pub use crate::train::planner::{TrainPlanner, TrialOutcome};
pub use crate::train::window::TrialWindow;
