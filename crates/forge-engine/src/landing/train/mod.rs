//! Merge trains: one per repository and target branch, planned by `forge_domain::train`. Each landing effect holds a ticket and follows the planner's instructions.
//!
//! | instruction | the effect does | then |
//! |---|---|---|
//! | `Wait` | nothing | waits for another instruction |
//! | `Test` | runs the checks on the trial merge, stores a receipt if they pass | reports the result |
//! | `Land` | moves the target to the tested commit | landed, or a lost race and a new plan |
//! | `Evict` | leaves the train, searches the culprit | checks failed |
//! | `Conflict` | leaves the train | conflict, or a retry if git failed |
//! | `AlreadyMerged` | leaves the train | nothing to merge |
//! | `Failed` | – | retry |
//!
//! Trains live in memory. Crash: the landing effects are leased again and enter new trains; receipts spare the checks that passed. A trial worktree that a dead process left is removed at start-up.

mod candidate;
mod candidate_builder;
mod culprit;
mod landing_settings;
mod merge_train;
mod planner_loop;
mod remote_trains;
mod train_entry;
mod train_ticket;
mod train_view;
mod trial;
mod trial_merge;

pub use crate::gate::check_ledger::CheckLedgerRow;
pub(crate) use crate::landing::train::candidate::{LandingCandidate, LandingChecks};
pub(crate) use crate::landing::train::landing_settings::{
    LandingMode, LandingSettings, LandingVerification,
};
pub(crate) use crate::landing::train::merge_train::{MergeTrains, TestedTree};
pub(crate) use crate::landing::train::train_ticket::{TrainInstruction, TrainTicket};
pub use crate::landing::train::train_view::{MergeTrainView, TrainEntryView};
pub(crate) use crate::landing::train::trial_merge::TrialMerge;
