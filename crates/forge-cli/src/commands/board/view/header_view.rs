//! The first line: project, counts, connection.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::commands::board::state::{BoardState, CardMeaning, ConnectionState};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::commands::board::view::relative_time::relative_age;
use crate::terminal::text_table::one_line;

/// Draws the header line.
pub(crate) fn render_header(state: &BoardState, frame: &mut Frame<'_>, area: Rect) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let connection = connection(state, theme);
    let room = area.width.saturating_sub(u16::try_from(connection.width()).unwrap_or(0) + 1);
    let mut left = Line::from(Span::styled(one_line(&state.project.name), theme.bold()));
    if state.project.paused_at.is_some() {
        left.push_span(Span::styled("  ‖ paused", theme.meaning(CardMeaning::NeedsYou)));
    }
    if state.is_loaded {
        for (style, short, long) in counts(state, theme) {
            let used = left.width();
            for text in [long, short] {
                if used + 2 + ratatui::text::Span::raw(text.as_str()).width() <= usize::from(room) {
                    left.push_span(Span::raw("  "));
                    left.push_span(Span::styled(text, style));
                    break;
                }
            }
        }
    }
    frame.render_widget(left, Rect { width: room, ..area });
    frame.render_widget(connection.right_aligned(), area);
}

/// The count of each meaning that has cards, with and without its word.
fn counts(state: &BoardState, theme: BoardTheme) -> Vec<(ratatui::style::Style, String, String)> {
    let needs = (CardMeaning::NeedsYou, state.needs_count());
    let all = std::iter::once(needs).chain(state.meaning_counts());
    all.filter(|(_, count)| *count > 0)
        .map(|(meaning, count)| {
            let shape = meaning.shape();
            let short = format!("{shape} {count}");
            let word = match (meaning, count) {
                (CardMeaning::NeedsYou, 2..) => "need you",
                _ => meaning.word(),
            };
            (theme.meaning(meaning), short.clone(), format!("{short} {word}"))
        })
        .collect()
}

fn connection(state: &BoardState, theme: BoardTheme) -> Line<'static> {
    let (text, style) = match &state.connection {
        ConnectionState::Connecting => ("connecting…".to_owned(), theme.dim()),
        ConnectionState::Live if !state.is_loaded => ("loading…".to_owned(), theme.dim()),
        ConnectionState::Live => ("live".to_owned(), theme.dim()),
        ConnectionState::Lost(since) => {
            let age = relative_age(state.now, Some(*since));
            let age = if age == "now" { String::new() } else { format!(", last update {age} ago") };
            (format!("‖ reconnecting{age}"), theme.meaning(CardMeaning::NeedsYou))
        }
        ConnectionState::Refused(_) => ("✗ not live".to_owned(), theme.problem()),
    };
    Line::from(Span::styled(text, style))
}
