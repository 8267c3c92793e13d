//! The merge train (M-11, M-12): which finished branches are tried together, in which order they land, and who has to
//! leave. Pure: branches, trees and checks are somebody else's business.

mod car;
mod line;
mod orders;
mod window;

pub use car::{Car, line_up};
pub use line::{Placed, Train};
pub use orders::{Link, Order, Standing, orders};
pub use window::Window;
