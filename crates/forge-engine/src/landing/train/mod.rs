//! Merge trains: one per repository and target branch. `forge_domain::train::TrainPlanner` decides, without branches or trees; this folder
//! makes the trial merges, runs the checks and moves the target.
//!
//! States of a train entry (`TrialState`), and what the planner says about it:
//!
//! | state of the entry's trial | instruction | what the landing effect does (`train_entry.rs`) | then |
//! |---|---|---|---|
//! | not in the window, or the train is paused | `Wait` | nothing | waits for another instruction |
//! | `Untested` | `Test` | runs the checks on the trial merge; stores a receipt if they pass | `Passed` or `Failed` |
//! | `Running` | – | goes on; another instruction stops the checks | `Passed` or `Failed` |
//! | `Failed` once | `Test` again, on the same tree | runs the checks again | `Passed` or `Failed` |
//! | `Failed` twice, first in the train | `Evict` | leaves the train, searches the culprit | checks failed |
//! | `Passed`, first in the train | `Land` | moves the target to the tested commit | landed, or a lost race and a new plan |
//! | `Conflicts`, first in the train | `Conflict` | leaves the train | conflict, or a retry if git failed |
//! | `Empty`, first in the train | `AlreadyMerged` | leaves the train | nothing to merge |
//! | the planner could not plan | `Failed` | – | retry |
//!
//! The conversation: the effect enters its candidate (`MergeTrain::enter`) and gets a `TrainTicket`; `PlannerLoop` plans after every change
//! and sends a `TrainInstruction` through it; the ticket reports results back. Dropping the ticket removes the entry.
//!
//! Trains live in memory. Crash: the landing effects are leased again and enter new trains; receipts spare the checks that passed. A
//! trial worktree that a dead process left is removed at start-up.

pub(crate) mod candidate;
pub(crate) mod candidate_builder;
pub(crate) mod culprit;
pub(crate) mod merge_train;
pub(crate) mod planner_loop;
pub(crate) mod remote_trains;
pub(crate) mod train_entry;
pub(crate) mod train_ticket;
pub(crate) mod train_view;
pub(crate) mod trial;
pub(crate) mod trial_merge;

pub use crate::gate::check_ledger::CheckLedgerRow;
pub(crate) use crate::landing::train::candidate::{LandingCandidate, LandingChecks};
pub(crate) use crate::landing::train::merge_train::{MergeTrains, TestedTree};
pub(crate) use crate::landing::train::train_ticket::{TrainInstruction, TrainTicket};
pub use crate::landing::train::train_view::{MergeTrainView, TrainEntryView};
pub(crate) use crate::landing::train::trial_merge::TrialMerge;
