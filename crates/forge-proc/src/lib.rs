//! Child processes: start them in their own session, bound their output, and end the whole process tree.
//!
//! A process is identified by pid, start time and boot id ([`ProcessIdentity`]). The processes of a supervised tree
//! are found by traits that they do not lose by accident: a tag that children inherit as a resource limit, the
//! [`ProcessMark`] in the environment, the session, and an earlier sighting below the root program. This process is
//! the subreaper of their orphans, so no orphan stays a zombie. Nothing here waits for a pipe to close: a daemon that
//! keeps one open cannot block the server.
//!
//! A program that is started with [`SupervisionSpec::adoptable`] outlives its server: a relay process keeps its pipe
//! open and stores its output, and the next server continues with both ([`adopt`]).
//!
//! # Limits
//!
//! This supervises trusted programs; it is not a sandbox (E-14).
//! - A program that wants to hide can: it may change its limit (lower it, or as root set any value), its environment
//!   and its session, and lose its parent between two reads of the process table.
//! - A program that forks, exits and changes its group again and again, faster than the process table is read, may
//!   survive one sweep. A later sweep still finds it. Only the kernel's own kill of a control group or a namespace
//!   has no such race.
//! - Work handed to a daemon that was already running (a container engine, `at`, a user's service manager) is not
//!   part of the tree.
//! - After a restart, the exit code of an adopted program is known if its orphan was reparented to this process or if
//!   its exit recorder, a small process of its own, wrote it down; a killed exit recorder writes nothing. For an
//!   adoptable program, an exit code above 128 counts as the signal it encodes.

mod adoption;
mod call;
mod free_memory;
mod output;
mod supervise;
mod tree;

pub use crate::adoption::process_adoption::{
    AdoptError, AdoptionRequest, ProcessAdoption, adopt, load_ending, load_program_identity,
    read_remaining_output, remove_process_records,
};
pub use crate::adoption::unsupervised_ending::await_unsupervised_ending;
pub use crate::call::background::run_in_background;
pub use crate::call::capture::{CaptureError, CaptureLimits, CapturedOutput, capture};
pub use crate::call::invocation::{ProgramInvocation, SpawnError, StdinSource};
pub use crate::free_memory::release_free_memory;
pub use crate::output::log_workers::run_on_log_worker;
pub use crate::supervise::expected_workdir::{ExpectedWorkdir, WorkdirError};
pub use crate::supervise::process_outcome::{ProcessEnding, ProcessExit, ProcessOutcome};
pub use crate::supervise::supervised_process::{SupervisedProcess, spawn};
pub use crate::supervise::supervision_spec::SupervisionSpec;
pub use crate::tree::file_users::find_file_users;
pub use crate::tree::process_identity::ProcessIdentity;
pub use crate::tree::process_mark::{MarkError, ProcessMark};
pub use crate::tree::process_tree::{SurvivorsError, end_marked_processes, end_numbered_processes};
