//! Keys of the board: the actions that they trigger, their written form, and the map from one to the other.
//!
//! A key triggers at most one action in a pane. Menus and text fields have fixed keys and are not remappable.

mod key_action;
mod key_chord;
mod key_map;

pub(crate) use key_action::{KeyAction, KeyPane};
pub(crate) use key_chord::KeyChord;
pub(crate) use key_map::KeyMap;
