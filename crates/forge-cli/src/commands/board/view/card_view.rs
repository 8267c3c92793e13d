//! One card.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::commands::board::state::{BoardState, CardMeaning, TaskCard};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::commands::board::view::relative_time::relative_age;
use crate::terminal::text_table::cut_to_width;

/// How a card is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CardLook {
    pub(crate) is_selected: bool,
    /// Whether the title has a line of its own.
    pub(crate) has_title_line: bool,
}

/// Draws a card at the top of an area.
pub(crate) fn render_card(
    state: &BoardState,
    card: &TaskCard,
    look: CardLook,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let inner = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    let lines = if look.has_title_line {
        vec![first_line(state, card, None, inner.width), title_line(theme, card, look, inner.width)]
    } else {
        vec![first_line(state, card, Some(look), inner.width)]
    };
    let lines = lines.into_iter().chain([last_line(state, card, inner.width)]);
    for (line, y) in lines.zip(inner.y..inner.bottom()) {
        buffer.set_line(inner.x, y, &line, inner.width);
        if look.is_selected {
            buffer.set_line(area.x, y, &Line::styled("▌", theme.focus()), 1);
        }
    }
}

/// Shape, key, perhaps the title, holders, and the age at the right end.
fn first_line(
    state: &BoardState,
    card: &TaskCard,
    with_title: Option<CardLook>,
    width: u16,
) -> Line<'static> {
    let theme = BoardTheme { has_colors: state.has_colors };
    let width = usize::from(width);
    let mark = if state.pending.contains_key(&card.id) { "… " } else { "" };
    let age = format!("{mark}{}", relative_age(state.now, card.since));
    let priority = match card.priority {
        0 => String::new(),
        raised @ 1.. => format!(" ↑{raised}"),
        lowered => format!(" ↓{}", lowered.unsigned_abs()),
    };
    let key_style = if with_title.is_none() { theme.plain() } else { theme.dim() };
    let mut line = Line::from(vec![
        Span::styled(card.meaning.shape(), theme.meaning(card.meaning)),
        Span::styled(format!(" {}{priority}", card.key), key_style),
    ]);
    let room = width.saturating_sub(line.width() + Span::raw(age.as_str()).width() + 2);
    // On one line, the title gets at least two thirds of the room.
    let holder_room = if with_title.is_some() { room / 3 } else { room };
    let holders =
        if holder_room > 3 { cut_to_width(&card.holders, holder_room) } else { String::new() };
    if let Some(look) = with_title {
        let taken = Span::raw(holders.as_str()).width();
        let title = cut_to_width(&card.title, room.saturating_sub(taken + 4));
        line.push_span(Span::styled(format!("  {title}"), title_style(theme, card, look)));
        let used = line.width() + taken + 2 + Span::raw(age.as_str()).width();
        line.push_span(Span::raw(" ".repeat(width.saturating_sub(used))));
    } else {
        line.push_span(Span::raw("  "));
    }
    line.push_span(Span::styled(holders, theme.dim()));
    let used = line.width() + Span::raw(age.as_str()).width();
    line.push_span(Span::raw(" ".repeat(width.saturating_sub(used))));
    line.push_span(Span::styled(age, theme.dim()));
    line
}

fn title_line(theme: BoardTheme, card: &TaskCard, look: CardLook, width: u16) -> Line<'static> {
    let style = title_style(theme, card, look);
    Line::from(Span::styled(cut_to_width(&card.title, usize::from(width)), style))
}

fn title_style(theme: BoardTheme, card: &TaskCard, look: CardLook) -> ratatui::style::Style {
    let is_over = matches!(card.meaning, CardMeaning::Landed | CardMeaning::Cancelled);
    if look.is_selected {
        theme.bold()
    } else if is_over {
        theme.dim()
    } else {
        theme.plain()
    }
}

/// The reason, in the colour of its meaning if a person must act; otherwise the labels.
fn last_line(state: &BoardState, card: &TaskCard, width: u16) -> Line<'static> {
    let theme = BoardTheme { has_colors: state.has_colors };
    let style = match card.meaning {
        CardMeaning::NeedsYou | CardMeaning::Failed => theme.meaning(card.meaning),
        _ => theme.dim(),
    };
    let text = if card.reason.is_empty() { card.labels.join(", ") } else { card.reason.clone() };
    Line::from(Span::styled(cut_to_width(&text, usize::from(width)), style))
}
