//! Merge trains: one per repository and target branch. `forge_domain::train::TrainPlanner` decides without git, by the
//! keys and results of trials. This folder makes the trial merges, runs the checks and moves the target.
//!
//! For each state of an entry's trial (`TrialState`), the instruction of the planner (`PlannerInstruction`), the one
//! that the landing effect receives (`TrainInstruction`), and what the effect does with it (`train_entry.rs`):
//!
//! | state | planner | effect receives | the effect |
//! |---|---|---|---|
//! | `Untested` | `Test` | `Test` | runs the checks on the trial merge, stores a receipt if they pass, reports the result |
//! | `Running` | – | – | continues; any other instruction stops the checks |
//! | `Failed` once, all entries ahead passed | `Retest` | `Test`, `again` | runs the checks again on the same tree |
//! | `Failed` twice, first in the train | `Evict` | `Evict` | leaves the train, searches the culprit, reports failed checks |
//! | `Passed`, first in the train | `Land` | `Land` | moves the target to the tested commit; if another process moved it first, waits for a new plan |
//! | `Conflicts`, first in the train | `EvictConflict` | `Conflict` | leaves the train, reports the conflict; is retried if git failed |
//! | `Empty`, first in the train | `EvictEmpty` | `AlreadyMerged` | leaves the train, reports that nothing is to be merged |
//!
//! In all other cases the planner gives no instruction and the entry waits. `Wait` is the first instruction of an
//! entry, and stops checks of a tree that is no longer planned. `Failed` says that the planner itself failed; the
//! effect is retried. A paused train sends no instructions.
//!
//! The landing effect enters its candidate (`MergeTrain::enter`) and gets a `TrainTicket`. `PlannerLoop` plans the
//! train again after every change and sends instructions; the effect reads them from its ticket and reports results
//! through it. Dropping the ticket removes the entry.
//!
//! Trains are only in memory. Crash: the landing effects are leased again and enter new trains; checks that passed do
//! not run again, because their receipts are stored. The next start removes trial worktrees that a dead process left.

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
pub(crate) use crate::landing::train::merge_train::{MergeTrains, TrialKey};
pub(crate) use crate::landing::train::train_ticket::{TrainInstruction, TrainTicket};
pub use crate::landing::train::train_view::{MergeTrainView, TrainEntryView};
pub(crate) use crate::landing::train::trial_merge::TrialMerge;
