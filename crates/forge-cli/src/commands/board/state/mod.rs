//! Everything that the board shows, as plain values.
//!
//! `BoardState` holds the tasks as the server sent them; `BoardColumns` are derived from them on each change.
//! At most one screen (board, task, text) and one dialog are open; only what is open has content.

mod board_columns;
mod board_dialog;
#[cfg(test)]
pub(crate) mod board_fixture;
mod board_layout;
mod board_state;
mod card_meaning;
mod line_edit;
mod log_lines;
mod task_card;
mod text_screen;
mod text_wrap;

pub(crate) use board_columns::{BoardColumn, ColumnRow};
pub(crate) use board_dialog::{
    BoardDialog, ChoiceMenu, HelpList, MenuChoice, MenuItem, PromptPurpose, TextPrompt,
};
pub(crate) use board_layout::BoardLayout;
pub(crate) use board_state::{BoardScreen, BoardState, ConnectionState, TaskDetail, TaskScreen};
pub(crate) use card_meaning::CardMeaning;
pub(crate) use line_edit::LineEdit;
pub(crate) use log_lines::log_lines;
pub(crate) use task_card::TaskCard;
pub(crate) use text_screen::{TextScreen, TextSource, TextTone};
pub(crate) use text_wrap::{wrap_line, wrap_words};
