//! Text tables with aligned columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::terminal::text_style::{ColorOutput, TextStyle};

const COLUMN_GAP: usize = 2;
const NARROWEST_COLUMN: usize = 8;

/// Rows under a heading. Control characters in cells are replaced, so that data cannot move the cursor.
#[derive(Debug)]
pub(crate) struct TextTable {
    heading: Vec<String>,
    rows: Vec<Vec<(TextStyle, String)>>,
    /// The column that shrinks on a narrow terminal.
    flexible: Option<usize>,
}

impl TextTable {
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|cell| cell.to_uppercase()).collect(),
            rows: Vec::new(),
            flexible: None,
        }
    }

    /// Sets the column that is cut on a narrow terminal, so that each row stays on one line.
    #[must_use]
    pub(crate) fn flexible(mut self, column: usize) -> Self {
        self.flexible = Some(column);
        self
    }

    /// Whether the table has no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [(TextStyle, &str); N]) {
        let cells = cells.into_iter().map(|(ink, text)| (ink, one_line(text)));
        self.rows.push(cells.collect());
    }

    /// Renders the table; `width` is that of the terminal, `None` without one.
    pub(crate) fn render(&self, paint: ColorOutput, width: Option<usize>) -> String {
        let mut widths: Vec<_> = self.heading.iter().map(|cell| cell.width()).collect();
        for row in &self.rows {
            for (column, (_, text)) in widths.iter_mut().zip(row) {
                *column = (*column).max(text.width());
            }
        }
        if let (Some(width), Some(flexible)) = (width, self.flexible) {
            let all: usize =
                widths.iter().sum::<usize>() + COLUMN_GAP * widths.len().saturating_sub(1);
            if let Some(column) = widths.get_mut(flexible) {
                let fitting = column.saturating_sub(all.saturating_sub(width));
                *column = fitting.max(NARROWEST_COLUMN).min(*column);
            }
        }
        let heading: Vec<_> =
            self.heading.iter().map(|cell| (TextStyle::Dim, cell.clone())).collect();
        std::iter::once(&heading).chain(&self.rows).map(|row| line(row, &widths, paint)).collect()
    }
}

fn line(row: &[(TextStyle, String)], widths: &[usize], paint: ColorOutput) -> String {
    let mut line = String::new();
    let mut pending = 0;
    for ((ink, text), &width) in row.iter().zip(widths) {
        let text = cut(text, width);
        // Padding is written only before further text, so that no line ends in spaces.
        if !text.is_empty() {
            line.push_str(&" ".repeat(pending));
            line.push_str(&paint.styled(*ink, &text));
            pending = 0;
        }
        pending += width.saturating_sub(text.width()) + COLUMN_GAP;
    }
    line.push('\n');
    line
}

/// The beginning of a text that fits into a width, with a mark where it is cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
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

    fn table() -> TextTable {
        let mut table = TextTable::new(&["key", "title", "labels"]).flexible(1);
        table.row([
            (TextStyle::Bold, "T-1"),
            (TextStyle::Plain, "日本語 text"),
            (TextStyle::Plain, ""),
        ]);
        table.row([
            (TextStyle::Bold, "T-10"),
            (TextStyle::Plain, "\u{1b}[31mred\nline"),
            (TextStyle::Plain, "ui"),
        ]);
        table
    }

    #[test]
    fn columns_line_up_without_tabs_or_trailing_spaces() {
        let text = table().render(ColorOutput(false), None);
        let expected =
            "KEY   TITLE          LABELS\nT-1   日本語 text\nT-10  \u{fffd}[31mred line  ui\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_narrow_terminal_cuts_the_flexible_column() {
        let text = table().render(ColorOutput(false), Some(22));
        assert_eq!(text, "KEY   TITLE     LABELS\nT-1   日本語 …\nT-10  \u{fffd}[31mre…  ui\n");
    }

    #[test]
    fn colours_do_not_change_the_columns() {
        let painted = table().render(ColorOutput(true), None);
        assert!(painted.contains("\u{1b}[1mT-10\u{1b}[0m  "), "{painted:?}");
    }
}
