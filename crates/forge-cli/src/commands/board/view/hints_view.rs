//! The last lines: the notice, or the keys of the focused pane.

use ratatui::text::{Line, Span};

use crate::commands::board::keys::{KeyAction, KeyPane};
use crate::commands::board::state::{BoardDialog, BoardState, wrap_words};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::terminal::text_table::one_line;

/// Lines of a notice at most; the rest of a longer one is in the task screen.
const MOST_NOTICE_LINES: usize = 4;

/// The lines at the bottom, as many as they need.
pub(crate) fn bottom_lines(state: &BoardState, width: u16) -> Vec<Line<'static>> {
    let theme = BoardTheme { has_colors: state.has_colors };
    if let Some(BoardDialog::Find(line)) = &state.dialog {
        let (before, after) = line.split();
        let found: usize = state.columns.all().iter().map(|column| column.cards.len()).sum();
        return vec![Line::from(vec![
            Span::styled("find ", theme.focus()),
            Span::raw(before),
            Span::styled("▏", theme.focus()),
            Span::raw(after),
            Span::styled(
                format!("   {found} found · enter keeps the filter · esc clears it"),
                theme.dim(),
            ),
        ])];
    }
    let Some(notice) = &state.notice else {
        return vec![hints(state, width)];
    };
    let style = if notice.is_problem { theme.problem() } else { theme.bold() };
    let mark = if notice.is_problem { "✗ " } else { "" };
    let text = format!("{mark}{}", one_line(&notice.text));
    let mut lines = wrap_words(&text, width);
    if lines.len() > MOST_NOTICE_LINES {
        lines.truncate(MOST_NOTICE_LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines.into_iter().map(|line| Line::from(Span::styled(line, style))).collect()
}

/// The most useful keys of the pane that fit.
fn hints(state: &BoardState, width: u16) -> Line<'static> {
    let theme = BoardTheme { has_colors: state.has_colors };
    let mut line = Line::default();
    for (action, word) in pane_hints(state.pane()) {
        let Some(key) = state.config.keys.first_key(*action) else { continue };
        let key = key.to_string();
        let gap = if line.spans.is_empty() { "" } else { "  " };
        let needed = gap.len() + Span::raw(key.as_str()).width() + 1 + word.len();
        if line.width() + needed > usize::from(width) {
            break;
        }
        line.push_span(Span::raw(gap));
        line.push_span(Span::styled(key, theme.bold()));
        line.push_span(Span::styled(format!(" {word}"), theme.dim()));
    }
    line
}

fn pane_hints(pane: KeyPane) -> &'static [(KeyAction, &'static str)] {
    match pane {
        KeyPane::Board => &[
            (KeyAction::Help, "keys"),
            (KeyAction::NextNeedingYou, "needs you"),
            (KeyAction::Open, "open"),
            (KeyAction::Start, "start"),
            (KeyAction::Move, "move"),
            (KeyAction::Log, "log"),
            (KeyAction::Diff, "diff"),
            (KeyAction::Find, "find"),
            (KeyAction::NewTask, "new"),
            (KeyAction::Steer, "reply"),
            (KeyAction::Stop, "stop"),
            (KeyAction::Actions, "all actions"),
            (KeyAction::Editor, "editor"),
            (KeyAction::Quit, "quit"),
        ],
        KeyPane::Task => &[
            (KeyAction::Close, "board"),
            (KeyAction::Start, "start"),
            (KeyAction::Move, "move"),
            (KeyAction::Log, "log"),
            (KeyAction::Diff, "diff"),
            (KeyAction::Steer, "reply"),
            (KeyAction::Stop, "stop"),
            (KeyAction::Editor, "editor"),
            (KeyAction::Actions, "all actions"),
            (KeyAction::Help, "keys"),
        ],
        KeyPane::Text => &[
            (KeyAction::Close, "back"),
            (KeyAction::Find, "find"),
            (KeyAction::NextMatch, "next match"),
            (KeyAction::Pager, "pager"),
            (KeyAction::Last, "end"),
            (KeyAction::First, "start"),
            (KeyAction::Help, "keys"),
        ],
    }
}
