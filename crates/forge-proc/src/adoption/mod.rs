//! Takes over programs that outlived the server that started them.
//!
//! The files beside the log hold what the next server needs: `program` (identity), `layout` and `relay` (spool),
//! `exit` (written by the exit recorder), `ended` (written by a server) and `read` (the log is complete).
//!
//! States of an adoptable program after a server crash: running (adopt it), stopped by an earlier server that was
//! about to end it (woken on adoption), exited with an exit record, exited without one (the ending is unknown). The
//! files stay until the caller calls `remove_process_records`, which it must do after it stored the result: a crash
//! before that leaves them for the next server. The `read` marker is written after the log is complete; a crash
//! between the two makes the next server complete the log again.

pub(crate) mod adopted_process;
pub(crate) mod ending_record;
pub(crate) mod exit_record;
pub(crate) mod process_adoption;
pub(crate) mod unsupervised_ending;
