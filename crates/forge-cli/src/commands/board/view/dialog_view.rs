//! Menus, text fields and the list of keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear};

use crate::commands::board::keys::KeyAction;
use crate::commands::board::state::{
    BoardDialog, BoardState, ChoiceMenu, HelpList, LineEdit, TextPrompt,
};
use crate::commands::board::view::board_theme::BoardTheme;
use crate::terminal::text_table::cut_to_width;

const MENU_WIDTH: u16 = 64;

/// Draws a dialog over the body.
pub(crate) fn render_dialog(
    state: &BoardState,
    dialog: &BoardDialog,
    frame: &mut Frame<'_>,
    body: Rect,
) {
    let theme = BoardTheme { has_colors: state.has_colors };
    match dialog {
        BoardDialog::Find(_) => {}
        BoardDialog::Menu(menu) => render_menu(theme, menu, frame, body),
        BoardDialog::Prompt(prompt) => render_prompt(theme, prompt, frame, body),
        BoardDialog::Help(help) => render_help(state, help, frame, body),
    }
}

fn render_menu(theme: BoardTheme, menu: &ChoiceMenu, frame: &mut Frame<'_>, body: Rect) {
    let items = menu.visible();
    let count = u16::try_from(items.len()).unwrap_or(u16::MAX).max(1);
    let area = open_box(
        theme,
        &menu.title,
        "↑↓ choose · type to filter · enter · esc closes",
        (MENU_WIDTH, count.saturating_add(1)),
        frame,
        body,
    );
    render_field(theme, &menu.filter, "type to filter", frame, area);
    let list = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let height = usize::from(list.height.max(1));
    let first = menu.selected.saturating_sub(height - 1);
    let width = usize::from(list.width);
    if items.is_empty() {
        frame.render_widget(Line::styled("nothing matches", theme.dim()), list);
    }
    for ((place, item), y) in items.iter().enumerate().skip(first).zip(list.y..list.bottom()) {
        let label = cut_to_width(&item.label, width);
        let room = width.saturating_sub(Span::raw(label.as_str()).width() + 2);
        let note = if room > 3 { cut_to_width(&item.note, room) } else { String::new() };
        let used = Span::raw(label.as_str()).width() + Span::raw(note.as_str()).width();
        let gap = " ".repeat(width.saturating_sub(used));
        let is_selected = place == menu.selected;
        let (style, dim) = if is_selected {
            (theme.selected(), theme.selected())
        } else {
            (theme.plain(), theme.dim())
        };
        let line = Line::from(vec![
            Span::styled(label, style),
            Span::styled(gap, style),
            Span::styled(note, dim),
        ]);
        frame.render_widget(line, Rect { y, height: 1, ..list });
    }
}

fn render_prompt(theme: BoardTheme, prompt: &TextPrompt, frame: &mut Frame<'_>, body: Rect) {
    let width = body.width.saturating_sub(4).min(100);
    let area = open_box(theme, &prompt.title, "enter sends · esc closes", (width, 1), frame, body);
    render_field(theme, &prompt.line, "", frame, area);
}

/// A line of text with its cursor; the part around the cursor stays visible.
fn render_field(
    theme: BoardTheme,
    line: &LineEdit,
    empty: &'static str,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let (before, after) = line.split();
    let width = usize::from(area.width.max(2));
    let mut before: String = before;
    while Span::raw(before.as_str()).width() + 1 > width {
        before.remove(0);
    }
    let hint = if line.is_empty() { empty } else { "" };
    let shown = Line::from(vec![
        Span::raw(before),
        Span::styled("▏", theme.focus()),
        Span::raw(after),
        Span::styled(hint, theme.dim()),
    ]);
    frame.render_widget(shown, Rect { height: 1, ..area });
}

fn render_help(state: &BoardState, help: &HelpList, frame: &mut Frame<'_>, body: Rect) {
    let theme = BoardTheme { has_colors: state.has_colors };
    let words = help.filter.text().to_lowercase();
    let rows: Vec<(String, &str)> = KeyAction::ALL
        .iter()
        .filter(|action| action.panes().contains(&state.pane()))
        .map(|action| {
            let keys = state.config.keys.keys(*action).iter().map(ToString::to_string);
            let keys = keys.collect::<Vec<_>>().join(" ");
            (if keys.is_empty() { "no key".to_owned() } else { keys }, action.help())
        })
        .filter(|(keys, help)| help.contains(&words) || keys.contains(&words))
        .collect();
    let count = u16::try_from(rows.len()).unwrap_or(u16::MAX).max(1);
    let area = open_box(
        theme,
        "Keys",
        "type to filter · ↑↓ scroll · esc closes",
        (76, count.saturating_add(1)),
        frame,
        body,
    );
    render_field(theme, &help.filter, "type to filter", frame, area);
    let list = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let last = rows.len().saturating_sub(usize::from(list.height));
    for ((keys, help), y) in rows.iter().skip(help.top.min(last)).zip(list.y..list.bottom()) {
        let width = usize::from(list.width).saturating_sub(17);
        let line = Line::from(vec![
            Span::styled(format!("{:<17}", cut_to_width(keys, 16)), theme.bold()),
            Span::raw(cut_to_width(help, width)),
        ]);
        frame.render_widget(line, Rect { y, height: 1, ..list });
    }
}

/// Clears a box in the middle, draws its border and returns the area inside.
fn open_box(
    theme: BoardTheme,
    title: &str,
    hint: &'static str,
    (width, height): (u16, u16),
    frame: &mut Frame<'_>,
    body: Rect,
) -> Rect {
    let width = width.saturating_add(4).min(body.width);
    let height = height.saturating_add(2).min(body.height);
    let area = Rect {
        x: body.x + (body.width - width) / 2,
        y: body.y + (body.height - height) / 3,
        width,
        height,
    };
    let title = cut_to_width(title, usize::from(width.saturating_sub(4)));
    let mut block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.focus())
        .title(Line::styled(format!(" {title} "), theme.bold()));
    if Span::raw(hint).width() + 6 <= usize::from(width) {
        block = block.title_bottom(Line::styled(format!(" {hint} "), theme.dim()));
    }
    frame.render_widget(Clear, area);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}
