//! What each effect does to the world. Every one asks reality first: it may be the second to try.

mod checks;
mod clean;
mod culprit;
mod failure;
mod freight;
mod land;
mod perform;
mod picked_up;
mod plain;
mod plain_setup;
mod plan;
mod ports;
mod prepare;
mod program;
mod publish;
mod put_back;
mod receipt;
mod renew;
mod reset;
mod ride;
mod save;
mod secrets;
mod seen;
mod setup;
mod silence;
mod site;
mod steer;
mod stop;
mod surroundings;
mod trial;
mod turn;

pub(crate) use failure::{Failure, Outcome};
pub(crate) use land::Intent as LandingIntent;
pub(crate) use perform::{GRACE, mark_of};
pub(crate) use plan::Intent;
pub(crate) use site::{branch_of, directory_of};
