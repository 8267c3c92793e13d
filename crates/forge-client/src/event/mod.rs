//! What happens, as it happens (SPEC S-2).

mod frame;
mod stream;

pub use frame::{Frame, FrameReader, FrameTooLarge};
pub use stream::EventStream;
