//! The entry of all drawing.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Clear;

use crate::commands::board::state::{BoardDialog, BoardScreen, BoardState};
use crate::commands::board::view::columns_view::render_columns;
use crate::commands::board::view::dialog_view::render_dialog;
use crate::commands::board::view::header_view::render_header;
use crate::commands::board::view::hints_view::bottom_lines;
use crate::commands::board::view::task_view::render_task;
use crate::commands::board::view::text_view::render_text;

/// Draws the whole board.
pub(crate) fn render_board(state: &BoardState, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < 10 || area.height < 4 {
        return;
    }
    let header = Rect { height: 1, ..area };
    let body = Rect { y: area.y + 1, height: area.height - 2, ..area };
    match &state.screen {
        BoardScreen::Columns => {
            render_header(state, frame, header);
            render_columns(state, frame.buffer_mut(), body);
        }
        BoardScreen::Task(screen) => render_task(state, screen, frame, area),
        BoardScreen::Text(screen) => render_text(state, screen, frame, area),
    }
    // A notice covers the last lines, so that nothing else moves.
    let lines = bottom_lines(state, area.width);
    let height = u16::try_from(lines.len()).unwrap_or(1).min(area.height - 1);
    let bottom = Rect { y: area.bottom() - height, height, ..area };
    frame.render_widget(Clear, bottom);
    for (line, y) in lines.into_iter().zip(bottom.y..bottom.bottom()) {
        frame.render_widget(line, Rect { y, height: 1, ..bottom });
    }
    match &state.dialog {
        None | Some(BoardDialog::Find(_)) => {}
        Some(dialog) => render_dialog(state, dialog, frame, body),
    }
}
