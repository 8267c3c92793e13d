//! Event streams (SPEC S-2): stored events in order and without gaps, then new ones as they are committed; and the
//! log events of one execution.
//!
//! A stream reads a batch, sends it, and waits for a wake-up or a slow sweep. Its position is a cursor with one
//! sequence number per project, which the client sends back when it reconnects. The server stores nothing about a
//! stream, so a crash loses no event. A member's stream checks the memberships with every read. Memory of closed
//! streams is returned to the system.

mod event_tail;
mod event_type_filter;
mod log_tail;
pub(crate) mod sse;
mod stream_cursor;
pub(crate) mod stream_memory;

pub(crate) use crate::stream::event_tail::stream_events;
pub(crate) use crate::stream::event_type_filter::EventTypeFilter;
pub(crate) use crate::stream::log_tail::stream_log_events;
pub(crate) use crate::stream::stream_cursor::ResumePoint;
