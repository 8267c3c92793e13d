//! What each effect does to the world. Every one asks reality first: it may be the second to try.

mod checks;
mod clean;
mod failure;
mod family;
mod land;
mod perform;
mod picked_up;
mod plain;
mod plain_setup;
mod plan;
mod ports;
mod prepare;
mod program;
mod renew;
mod reset;
mod save;
mod secrets;
mod seen;
mod setup;
mod silence;
mod site;
mod steer;
mod stop;
mod surroundings;
mod turn;
mod turn_commit;

pub(crate) use failure::{Failure, Outcome};
pub(crate) use land::Intent as LandingIntent;
pub(crate) use perform::{GRACE, mark_of};
pub(crate) use plan::Intent;
pub(crate) use site::{branch_of, directory_of};
