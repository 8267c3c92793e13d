//! Aligned columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::paint::{Ink, Paint};

const GAP: usize = 2;
const NARROWEST: usize = 8;

/// Rows under a heading. What comes from outside cannot move the cursor: control characters are replaced.
#[derive(Debug)]
pub(crate) struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<(Ink, String)>>,
    /// The column that gives way on a narrow terminal.
    flexible: Option<usize>,
}

impl Table {
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|cell| cell.to_uppercase()).collect(),
            rows: Vec::new(),
            flexible: None,
        }
    }

    /// The column that is cut on a narrow terminal, so that rows stay on one line.
    #[must_use]
    pub(crate) fn flexible(mut self, column: usize) -> Self {
        self.flexible = Some(column);
        self
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [(Ink, &str); N]) {
        let cells = cells.into_iter().map(|(ink, text)| (ink, one_line(text)));
        self.rows.push(cells.collect());
    }

    /// The text; `width` is the terminal's, `None` elsewhere.
    pub(crate) fn render(&self, paint: Paint, width: Option<usize>) -> String {
        let mut widths: Vec<_> = self.heading.iter().map(|cell| cell.width()).collect();
        for row in &self.rows {
            for (column, (_, text)) in widths.iter_mut().zip(row) {
                *column = (*column).max(text.width());
            }
        }
        if let (Some(width), Some(flexible)) = (width, self.flexible) {
            let all: usize = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
            if let Some(column) = widths.get_mut(flexible) {
                let fitting = column.saturating_sub(all.saturating_sub(width));
                *column = fitting.max(NARROWEST).min(*column);
            }
        }
        let heading: Vec<_> = self.heading.iter().map(|cell| (Ink::Faint, cell.clone())).collect();
        std::iter::once(&heading).chain(&self.rows).map(|row| line(row, &widths, paint)).collect()
    }
}

fn line(row: &[(Ink, String)], widths: &[usize], paint: Paint) -> String {
    let mut line = String::new();
    let mut pending = 0;
    for ((ink, text), &width) in row.iter().zip(widths) {
        let text = cut(text, width);
        // Spaces are written only when something follows, so that no line ends in them.
        if !text.is_empty() {
            line.push_str(&" ".repeat(pending));
            line.push_str(&paint.text(*ink, &text));
            pending = 0;
        }
        pending += width.saturating_sub(text.width()) + GAP;
    }
    line.push('\n');
    line
}

fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let fitting = text.chars().take_while(|c| {
        let needed = c.width().unwrap_or(0);
        let fits = needed <= room;
        room = room.saturating_sub(needed);
        fits
    });
    fitting.chain(std::iter::once('…')).collect()
}

/// Text from outside on one line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}

/// Text from outside with its lines, without other control characters.
pub(crate) fn plain_text(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(one_line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["key", "title", "labels"]).flexible(1);
        table.row([(Ink::Strong, "T-1"), (Ink::Plain, "日本語 text"), (Ink::Plain, "")]);
        table.row([(Ink::Strong, "T-10"), (Ink::Plain, "\u{1b}[31mred\nline"), (Ink::Plain, "ui")]);
        table
    }

    #[test]
    fn columns_line_up_without_tabs_or_trailing_spaces() {
        let text = table().render(Paint(false), None);
        let expected =
            "KEY   TITLE          LABELS\nT-1   日本語 text\nT-10  \u{fffd}[31mred line  ui\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_narrow_terminal_cuts_the_flexible_column() {
        let text = table().render(Paint(false), Some(22));
        assert_eq!(text, "KEY   TITLE     LABELS\nT-1   日本語 …\nT-10  \u{fffd}[31mre…  ui\n");
    }

    #[test]
    fn colours_do_not_change_the_columns() {
        let painted = table().render(Paint(true), None);
        assert!(painted.contains("\u{1b}[1mT-10\u{1b}[0m  "), "{painted:?}");
    }
}
