//! Tasks that can be claimed go to agents by themselves (E-10, E-11). What is decided is decided in the domain; here is
//! what it decides by, and the act, which is a claim like anybody's.

mod admission;
mod line;
mod market;
mod pause;
mod pressure;
mod round;
mod settings;
mod why;

pub use admission::Admission;
pub(crate) use line::line_up;
pub use pause::DispatchState;
pub(crate) use settings::DispatchSettings;
pub use why::Waiting;
