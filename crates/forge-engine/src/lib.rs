//! The engine: commands in, effects out. It loads, lets the domain decide, commits, and carries out what was decided;
//! there is no other way to change a task and no other place that changes the world.

mod aftermath;
mod at_work;
mod clock;
mod commit;
mod compare;
mod conversation;
mod effects;
mod ending;
mod engine;
mod environment;
mod errors;
mod execution_token;
mod executor;
mod facts;
mod family;
mod faults;
mod fetches;
mod follow;
mod head_start;
mod held;
mod holder;
mod home;
mod ids;
mod inspect;
mod journal;
mod lease;
mod looks;
mod lookup;
mod naming;
mod on_restart;
mod patience;
mod plain;
mod pool;
mod prompting;
mod radar;
mod receipts;
mod recovery;
mod regained;
mod registry;
mod remotes;
mod repository;
mod rescue;
mod restoring;
mod running;
mod scheduling;
mod settle;
mod signs;
mod train;
mod transcript;
mod upkeep;
mod winding_down;
mod workflows;

pub use aftermath::Successor;
pub use clock::{Clock, SystemClock};
pub use compare::{DiffSource, TaskDiff};
pub use conversation::Conversation;
pub use engine::{Engine, Limits, Parts};
pub use environment::Environment;
pub use errors::{EngineError, StartError};
pub use faults::{Fault, FaultPlan, Faults};
pub use follow::{DiffFollower, DiffNews};
pub use home::{Home, HomeError};
pub use ids::Ids;
pub use inspect::{
    Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, Holder, WorkspaceFindings,
    WorkspaceSummary,
};
pub use journal::{Compared, EntryDiff};
pub use on_restart::OnRestart;
pub use patience::Patience;
pub use pool::PoolLimits;
pub use prompting::PromptPreview;
pub use radar::{Conflict, Conflicts, LiveBranch, Looked};
pub use receipts::Receipt;
pub use recovery::RecoveryReport;
pub use regained::RunsFound;
pub use registry::{
    AgentPatch, HIDDEN, NewAgent, NewProject, NewRemote, NewRepo, NewTask, NewWorkflow,
    ProjectPatch, RemotePatch, RemoteState, check_name,
};
pub use remotes::RemoteSettings;
pub use rescue::{AgentsCheck, Finding, Pulse};
pub use scheduling::{Admission, DispatchState, Waiting};
pub use train::{CarView, CheckRecord, TrainView};
pub use transcript::{EventPage, EventPart};
pub use upkeep::{Extent, Orphan, OrphanCause, OrphanNote, Removal, SizeClass, Verdict};
pub use winding_down::UnderWay;

/// What [`Parts`] is made of.
pub use forge_git::{Git, GitMissing};

/// What opens repositories elsewhere.
pub use forge_git::{Token, TokenError};
pub use forge_github::{AppKey, AppKeyError, GitHub};

/// The saved states of a workspace.
pub use forge_git::{BranchPointer, JournalEntry, JournalReason};

/// What a repository that Forge makes begins with.
pub use forge_git::FirstFile;
