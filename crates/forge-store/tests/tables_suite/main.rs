//! Tests of the tables on both engines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod board;
mod dependencies;
mod effects;
mod events;
mod live;
mod members;
mod migration;
mod needs_person;
mod overview;
mod paging;
mod people;
mod placed;
mod ports;
mod projection;
mod receipts;
mod records;
mod removal;
mod search;
mod turns;
mod waiting;
mod workspaces;
