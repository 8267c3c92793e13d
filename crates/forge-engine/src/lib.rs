//! The engine: commands in, effects out. It loads, lets the domain decide, commits, and carries out what was decided;
//! there is no other way to change a task and no other place that changes the world.

mod clock;
mod commit;
mod effects;
mod ending;
mod engine;
mod environment;
mod errors;
mod executor;
mod facts;
mod faults;
mod held;
mod holder;
mod home;
mod ids;
mod inspect;
mod journal;
mod lease;
mod lookup;
mod recovery;
mod registry;
mod repository;
mod restoring;
mod running;
mod settle;
mod workflows;

pub use clock::{Clock, SystemClock};
pub use engine::{Engine, Limits, Parts};
pub use environment::Environment;
pub use errors::{EngineError, StartError};
pub use faults::{Fault, FaultPlan, Faults};
pub use home::{Home, HomeError};
pub use ids::Ids;
pub use inspect::{
    Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, TaskDiff, WorkspaceFindings,
    WorkspaceSummary,
};
pub use journal::{Compared, EntryDiff};
pub use recovery::RecoveryReport;
pub use registry::{NewAgent, NewProject, NewRepo, NewTask, NewWorkflow, ProjectPatch, check_name};

/// What [`Parts`] is made of.
pub use forge_git::{Git, GitMissing};

/// The saved states of a workspace.
pub use forge_git::{BranchPointer, JournalEntry, JournalReason};

/// What a repository that Forge makes begins with.
pub use forge_git::FirstFile;
