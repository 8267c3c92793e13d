//! The transcript of an execution (E-5): its redacted output and numbered log events, and the redacted logs of checks and setups.
//!
//! States: growing (plain files beside the unredacted output) → complete → compressed (`.zst`); the unredacted output is deleted last.
//!
//! Crash: a partial transcript is written again from the unredacted output. A compressed file gets its name only when complete, before the plain one is deleted.

pub(crate) mod log_files;
pub(crate) mod packed_log;
pub(crate) mod read_transcript;
pub(crate) mod redacting_log;
pub(crate) mod transcript_writer;

pub(crate) use crate::execution::transcript::log_files::LogFiles;
pub use crate::execution::transcript::read_transcript::{TranscriptPage, TranscriptRange};
pub(crate) use crate::execution::transcript::redacting_log::RedactingLog;
pub(crate) use crate::execution::transcript::transcript_writer::TranscriptWriter;
