//! How finished branches get into their target (M-6 to M-13): one line for each target, whose rules are
//! `forge_domain::train`. Whoever lands rides in it; without a train it is one at a time.

mod cargo;
mod conducting;
mod elsewhere;
mod ledger;
mod line;
mod placing;
mod seat;
mod settings;
mod view;

pub(crate) use cargo::{Cargo, LandingChecks};
pub use ledger::CheckRecord;
pub(crate) use line::{Lines, Tested};
pub(crate) use placing::Placement;
pub(crate) use seat::{Seat, Told};
pub(crate) use settings::{MergeMode, MergeSettings, MergeVerify};
pub use view::{CarView, TrainView};
