//! The command `forge board`: the tasks of a project in a terminal, live.
//!
//! Three parts. `state` holds everything that the screen shows; `update` changes it for one event and returns the
//! effects to perform, without any input or output; `view` draws it, also without input or output. `driver` reads
//! keys, signals and the server's events, performs the effects and owns the terminal. `keys` maps keys to actions.
//!
//! Columns come from the phases of the workflow, the meaning of a card from the kind of its state (F-6, P-7): no
//! state name occurs here. The board stores nothing: a crash leaves only the terminal to restore, which a panic, a
//! stop signal and a suspension do.

pub(crate) mod board_args;
mod board_config;
mod driver;
mod keys;
mod state;
mod update;
mod view;
