//! Starts a program, watches it and ends its process tree.
//!
//! `spawn` starts the program in its own session and returns a `SupervisedProcess`. Its states: started, running
//! (memory sampled twice a second), ended by exit, stop request or deadline, swept (TERM, grace, KILL for the rest of
//! the tree), reported as a `ProcessOutcome`. `ExpectedWorkdir` checks right after the start that the program works
//! in the right directory and repository.
//!
//! A crash of the server does not end the program. A program that is not adoptable loses the reader of its pipe; the
//! next server can end its tree by the mark (`end_marked_processes`). An adoptable one continues behind its relay
//! (see `adoption`). A crash during the sweep leaves a stop or a deadline as the reason in the spool directory: it is
//! recorded before the first signal.

pub(crate) mod expected_workdir;
pub(crate) mod owned_child;
pub(crate) mod priority;
pub(crate) mod process_outcome;
pub(crate) mod root_process;
pub(crate) mod supervised_process;
pub(crate) mod supervision_spec;
pub(crate) mod usage;
