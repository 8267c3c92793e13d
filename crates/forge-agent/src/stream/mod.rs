//! What programs print, turned into events.

mod claude;
mod codex;
mod collector;
mod event;
mod lines;
mod map;
mod parser;
mod summary;

pub use event::{Body, Event, Usage};
pub(crate) use map::MapRule;
pub use parser::{Parser, Source};
pub use summary::TurnSummary;
