//! What each effect does to the world. Every one asks reality first: it may be the second to try.

mod checks;
mod clean;
mod failure;
mod land;
mod perform;
mod plan;
mod prepare;
mod reset;
mod save;
mod site;
mod stop;
mod surroundings;
mod turn;

pub(crate) use failure::{Failure, Outcome};
pub(crate) use site::{branch_of, directory_of};
