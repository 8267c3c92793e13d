//! Drawing: from the state to the cells of the terminal, without any input or output.
//!
//! Only what is visible is drawn: the cards of the current page of each visible column, the visible lines of a text.

mod board_theme;
mod card_view;
mod columns_view;
mod dialog_view;
mod header_view;
mod hints_view;
mod relative_time;
mod render_board;
mod task_view;
mod text_view;

#[cfg(test)]
mod render_tests;

pub(crate) use render_board::render_board;
