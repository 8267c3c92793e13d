//! Converts the output of agent programs to log events.

mod claude_stream;
mod codex_stream;
mod event_collector;
mod execution_summary;
pub(crate) mod failure_report;
mod line_splitter;
mod map_rules;
mod quota_reset;
mod stream_parser;
mod transcript_event;
pub(crate) mod verdict;

pub use crate::stream::execution_summary::ExecutionSummary;
pub(crate) use crate::stream::map_rules::MapRule;
pub use crate::stream::stream_parser::{StreamParser, StreamSource};
pub use crate::stream::transcript_event::{ReportedUsage, TranscriptEvent, TranscriptEventBody};
