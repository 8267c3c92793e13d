//! The columns: side by side, or one at a time on narrow terminals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::commands::board::keys::KeyAction;
use crate::commands::board::state::{BoardColumn, BoardLayout, BoardState, ColumnRow, wrap_words};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::commands::board::view::card_view::{CardLook, render_card};
use crate::terminal::text_table::cut_to_width;

/// Width of a column without cards.
const EMPTY_WIDTH: u16 = 12;

/// Draws the columns below the header.
pub(crate) fn render_columns(state: &BoardState, buffer: &mut Buffer, area: Rect) {
    let layout = BoardLayout::of(state.size);
    if state.columns.is_empty() && state.is_loaded {
        return render_guidance(state, buffer, area);
    }
    let columns = state.columns.all();
    let focused = state.columns.focused_index();
    if !layout.is_side_by_side {
        render_tabs(state, buffer, Rect { height: 1, ..area });
        if let Some(column) = columns.get(focused) {
            let below = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
            render_cards(state, column, true, layout, buffer, below);
        }
        return;
    }
    let theme = BoardTheme { has_colors: state.has_colors };
    let mut x = area.x;
    for (index, (column, width)) in
        columns.iter().zip(column_widths(columns, area.width)).enumerate()
    {
        let place = Rect { x, y: area.y + 1, width, height: area.height.saturating_sub(1) };
        let title = column_title(column, theme, index == focused);
        buffer.set_line(place.x, place.y, &title, width.saturating_sub(1));
        let cards = Rect {
            y: place.y + 1,
            height: place.height.saturating_sub(1),
            width: width.saturating_sub(1),
            ..place
        };
        render_cards(state, column, index == focused, layout, buffer, cards);
        x += width;
    }
}

/// Columns without cards are slim; the others share the rest.
fn column_widths(columns: &[BoardColumn], width: u16) -> Vec<u16> {
    let filled = columns.iter().filter(|column| !column.cards.is_empty()).count();
    let empty = u16::try_from(columns.len() - filled).unwrap_or(0);
    let filled = u16::try_from(filled).unwrap_or(0);
    let rest = width.saturating_sub(empty * EMPTY_WIDTH);
    let share = rest.checked_div(filled).unwrap_or(0);
    let mut spare = rest.checked_rem(filled).unwrap_or(0);
    let width_of = |column: &BoardColumn| {
        if column.cards.is_empty() {
            return EMPTY_WIDTH;
        }
        let extra = u16::from(spare > 0);
        spare -= extra;
        share + extra
    };
    columns.iter().map(width_of).collect()
}

fn column_title(column: &BoardColumn, theme: BoardTheme, has_focus: bool) -> Line<'static> {
    let style = if has_focus { theme.focus() } else { theme.bold() };
    let more = if column.has_more { "+" } else { "" };
    Line::from(vec![
        Span::styled(if has_focus { "▸ " } else { "  " }, style),
        Span::styled(column.title(), style),
        Span::styled(format!(" {}{more}", column.cards.len()), theme.dim()),
    ])
}

/// All columns with their counts where they fit, otherwise the focused one with its neighbours' directions.
fn render_tabs(state: &BoardState, buffer: &mut Buffer, area: Rect) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let columns = state.columns.all();
    let focused = state.columns.focused_index();
    let mut all = Line::default();
    for (index, column) in columns.iter().enumerate() {
        all.extend(column_title(column, theme, index == focused));
        all.push_span(Span::raw(" "));
    }
    if all.width() <= usize::from(area.width) {
        buffer.set_line(area.x, area.y, &all, area.width);
        return;
    }
    let Some(column) = columns.get(focused) else { return };
    let mut line = Line::from(Span::styled(if focused > 0 { "‹ " } else { "  " }, theme.dim()));
    line.extend(column_title(column, theme, true));
    let end = if focused + 1 < columns.len() { " ›" } else { "" };
    line.push_span(Span::styled(format!("  {}/{}{end}", focused + 1, columns.len()), theme.dim()));
    buffer.set_line(area.x, area.y, &line, area.width);
}

/// The page of cards with the selected one, and how many are above and below.
fn render_cards(
    state: &BoardState,
    column: &BoardColumn,
    has_focus: bool,
    layout: BoardLayout,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let rows = column.rows();
    let height = layout.list_height.min(area.height);
    let page = BoardColumn::page(&rows, column.selected, height, layout.card_height);
    let is_card = |row: &&ColumnRow| matches!(row, ColumnRow::Card(_));
    let count =
        |rows: Option<&[ColumnRow]>| rows.unwrap_or_default().iter().filter(is_card).count();
    let (above, below) = (count(rows.get(..page.start)), count(rows.get(page.end..)));
    let mut y = area.y;
    for row in rows.get(page).unwrap_or_default() {
        match row {
            ColumnRow::Heading(index) => {
                let status = column.cards.get(*index).map_or("", |card| card.status.as_str());
                let line = Line::styled(
                    cut_to_width(status, usize::from(area.width.saturating_sub(2))),
                    theme.dim(),
                );
                buffer.set_line(area.x + 2, y, &line, area.width.saturating_sub(2));
                y += 1;
            }
            ColumnRow::Card(index) => {
                let Some(card) = column.cards.get(*index) else { continue };
                let look = CardLook {
                    is_selected: has_focus && *index == column.selected,
                    has_title_line: layout.is_side_by_side,
                };
                let place = Rect { y, height: area.bottom().saturating_sub(y), ..area };
                render_card(state, card, look, buffer, place.intersection(*buffer.area()));
                y += layout.card_height;
            }
        }
    }
    let more = match (above, below) {
        (0, 0) => return,
        (0, below) => format!("↓ {below} more"),
        (above, 0) => format!("↑ {above} more"),
        (above, below) => format!("↑ {above}  ↓ {below} more"),
    };
    if let Some(last) = area.bottom().checked_sub(1) {
        let line = Line::styled(more, theme.dim());
        buffer.set_line(area.x + 2, last, &line, area.width.saturating_sub(2));
    }
}

/// What to do on an empty board: the step that is next.
fn render_guidance(state: &BoardState, buffer: &mut Buffer, area: Rect) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let key = |action| state.config.keys.first_key(action).map(|key| key.to_string());
    let new = key(KeyAction::NewTask).unwrap_or_else(|| "forge task new".to_owned());
    let start = key(KeyAction::Start).unwrap_or_else(|| "forge task claim".to_owned());
    let (title, text) = if !state.filter.is_empty() {
        ("No task matches.", "esc shows all tasks again.".to_owned())
    } else if state.agents.is_empty() {
        (
            "No tasks and no agent yet.",
            format!(
                "1. In another terminal, add an agent: forge agent add NAME --kind claude\n2. Press \
                 {new} to create the first task.\n3. Press {start} to choose the agent and start it."
            ),
        )
    } else {
        (
            "No tasks yet.",
            format!(
                "Press {new} to create the first one, then {start} to choose the agent that starts it."
            ),
        )
    };
    let left = area.x + 2;
    let width = area.width.saturating_sub(4);
    buffer.set_line(left, area.y + 1, &Line::styled(title, theme.bold()), width);
    let lines = wrap_words(&text, width);
    for (line, y) in lines.into_iter().zip(area.y + 3..area.bottom()) {
        buffer.set_line(left, y, &Line::raw(line), width);
    }
}
