//! A log or a diff.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::commands::board::state::{
    BoardLayout, BoardState, TextScreen, TextSource, TextTone, wrap_line,
};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::terminal::text_table::{cut_to_width, one_line};

/// Draws the visible lines of a text.
pub(crate) fn render_text(
    state: &BoardState,
    screen: &TextScreen,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let layout = BoardLayout::of(state.size);
    let top = screen.visible_top(layout.text_width, layout.text_height);
    frame.render_widget(title(state, screen, top, theme, area.width), Rect { height: 1, ..area });
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area };
    if screen.lines.is_empty() {
        let text = empty_text(screen);
        frame.render_widget(Line::styled(text, theme.dim()), Rect { height: 1, ..body });
        return;
    }
    let visible = screen.lines.iter().skip(top);
    let pieces = visible.flat_map(|(tone, line)| {
        let mut style = theme.text(*tone);
        if screen.is_match(line) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        wrap_line(line, body.width).into_iter().map(move |piece| Span::styled(piece, style))
    });
    for (piece, y) in pieces.zip(body.y..body.bottom()) {
        frame.render_widget(Line::from(piece), Rect { y, height: 1, ..body });
    }
}

fn title(
    state: &BoardState,
    screen: &TextScreen,
    top: usize,
    theme: BoardTheme,
    width: u16,
) -> Line<'static> {
    let (what, fact) = match screen.source {
        TextSource::Diff => {
            let count = |tone| screen.lines.iter().filter(|(line, _)| *line == tone).count();
            let (added, removed) = (count(TextTone::Added), count(TextTone::Removed));
            ("Diff", format!("+{added} −{removed}"))
        }
        TextSource::Log { has_ended: true, .. } => ("Log", "ended".to_owned()),
        TextSource::Log { .. } if screen.follows => ("Log", "following".to_owned()),
        TextSource::Log { .. } => ("Log", String::new()),
    };
    let place =
        format!("  {fact}  line {} of {}", (top + 1).min(screen.lines.len()), screen.lines.len());
    let name = state.tasks.get(&screen.task).map(|task| one_line(&task.title)).unwrap_or_default();
    let room = usize::from(width)
        .saturating_sub(what.len() + screen.key.len() + 4 + place.chars().count());
    Line::from(vec![
        Span::styled(format!("{what} of {}", screen.key), theme.focus()),
        Span::raw(format!("  {}", cut_to_width(&name, room.saturating_sub(4)))),
        Span::styled(place, theme.dim()),
    ])
}

fn empty_text(screen: &TextScreen) -> &'static str {
    match (screen.is_loading, screen.source) {
        (true, _) => "loading…",
        (false, TextSource::Diff) => "No changes yet.",
        (false, TextSource::Log { execution: None, .. }) => {
            "Not started yet: there is no execution whose output could be shown."
        }
        (false, TextSource::Log { .. }) => "No output yet.",
    }
}
