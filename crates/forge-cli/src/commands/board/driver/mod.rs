//! Input and output of the board: keys, signals, the server's events, requests, other programs and the terminal.
//!
//! The loop waits for the next event and draws only after one, at most thirty times a second. Requests run in the
//! background and answer with events. A crash or a signal restores the terminal; requests that the server has
//! received are finished by the server.

mod board_driver;
mod effect_runner;
mod event_feed;
mod load_board;
mod terminal_session;
mod user_program;

pub(crate) use board_driver::{BoardDriver, current_time};
