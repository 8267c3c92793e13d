//! The event stream (SPEC S-2).

mod event_client;
mod frame;
mod stream;

pub use crate::event::event_client::EventClient;
pub use crate::event::stream::{EventStream, StreamSignal};
