//! Changes of the state: one event in, effects to perform out. Nothing here reads or writes anything else.

mod apply_actions;
mod apply_feed;
mod apply_loaded;
mod board_effect;
mod board_event;
mod press_dialog;
mod press_key;
mod update_board;

#[cfg(test)]
mod update_tests;

pub(crate) use board_effect::BoardEffect;
pub(crate) use board_event::{ActionWish, BoardEvent, LoadedBoard, LoadedLog, LoadedTasks};
