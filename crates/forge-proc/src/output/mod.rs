//! Carries the output of a program to its log file.
//!
//! Output comes through a pipe of this process (`OutputPipe`) or, for adoptable programs, through a relay process
//! that copies it into spool files (`OutputRelay`, `SpoolReader`). A `LogWriter` task appends it to the `OutputLog`:
//! the head up to a cap, a marker line, and the tail. File work runs on a few low-priority threads (`log_workers`).
//!
//! After a server crash the relay keeps reading, so the program's pipe does not break; the next server continues the
//! log from the size of the log file, with no byte lost or repeated. If nothing reads for long, the relay drops
//! output between head and tail and the log records how many bytes are missing. A full disk stops logging, never the
//! program.

pub(crate) mod log_workers;
pub(crate) mod log_writer;
pub(crate) mod output_log;
pub(crate) mod output_pipe;
pub(crate) mod output_relay;
pub(crate) mod spool_reader;
