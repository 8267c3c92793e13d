//! The one pure function that decides, split by what is asked.

mod adopt;
mod allowed;
mod arrive;
mod assign;
mod claim;
mod create;
mod depend;
mod dispatch;
mod draft;
mod edit;
mod family;
mod follow_up;
mod gate;
mod handoff;
mod judge;
mod land;
mod moving;
mod outcome;
mod postpone;
mod quota;
mod rebase;
mod regress;
mod renew;
mod rescue;
mod revert;
mod run;
mod silence;
mod steer;
mod stop;
mod subtask;
mod turn;

pub use adopt::adopt;
pub use allowed::{Action, ActionKind, allowed};
pub use create::create;
pub use outcome::{Decision, decide};
pub use subtask::{AskedSubtask, part_of};
