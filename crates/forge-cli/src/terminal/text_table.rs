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
    /// Lines below a row, by the number of rows above them.
    notes: Vec<(usize, String)>,
    /// The column that shrinks on a narrow terminal.
    flexible: Option<usize>,
}

impl TextTable {
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self {
            heading: heading.iter().map(|cell| cell.to_uppercase()).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
            flexible: None,
        }
    }

    /// A table of so many columns without a heading.
    pub(crate) fn without_heading(columns: usize) -> Self {
        Self::new(&vec![""; columns])
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

    /// Adds a line below the last row, which is neither aligned nor cut.
    pub(crate) fn note(&mut self, line: String) {
        self.notes.push((self.rows.len(), line));
    }

    /// Renders the table without its empty columns; `width` is that of the terminal, `None` without one.
    pub(crate) fn render(&self, paint: ColorOutput, width: Option<usize>) -> String {
        let mut widths = vec![0; self.heading.len()];
        for row in &self.rows {
            for (column, (_, text)) in widths.iter_mut().zip(row) {
                *column = (*column).max(text.width());
            }
        }
        for (column, heading) in widths.iter_mut().zip(&self.heading) {
            if *column > 0 {
                *column = (*column).max(heading.width());
            }
        }
        if let Some(width) = width {
            fit_columns(&mut widths, self.flexible, width);
        }
        let mut text = String::new();
        if self.heading.iter().any(|cell| !cell.is_empty()) {
            let heading: Vec<_> =
                self.heading.iter().map(|cell| (TextStyle::Dim, cell.clone())).collect();
            text.push_str(&line(&heading, &widths, paint));
        }
        for (place, row) in self.rows.iter().enumerate() {
            text.push_str(&line(row, &widths, paint));
            for (_, note) in self.notes.iter().filter(|(rows, _)| *rows == place + 1) {
                text.push_str(note);
                text.push('\n');
            }
        }
        text
    }
}

/// Narrows columns until a row fits: first the flexible one, then the widest.
fn fit_columns(widths: &mut [usize], flexible: Option<usize>, width: usize) {
    let shown = widths.iter().filter(|column| **column > 0).count();
    let gaps = COLUMN_GAP * shown.saturating_sub(1);
    let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
    let mut narrow = |column: &mut usize| {
        let narrowed = column.saturating_sub(excess).max(NARROWEST_COLUMN).min(*column);
        excess -= *column - narrowed;
        *column = narrowed;
        excess > 0
    };
    if let Some(column) = flexible.and_then(|flexible| widths.get_mut(flexible))
        && !narrow(column)
    {
        return;
    }
    let mut by_width: Vec<&mut usize> = widths.iter_mut().collect();
    by_width.sort_by_key(|column| std::cmp::Reverse(**column));
    for column in by_width {
        if !narrow(column) {
            return;
        }
    }
}

fn line(row: &[(TextStyle, String)], widths: &[usize], paint: ColorOutput) -> String {
    let mut line = String::new();
    let mut pending = 0;
    let shown = row.iter().zip(widths).filter(|(_, width)| **width > 0);
    for ((ink, text), &width) in shown {
        let text = cut_to_width(text, width);
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

/// The text, cut so that it is at most this wide.
pub(crate) fn cut_to_width(text: &str, width: usize) -> String {
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
    let one_space = |c| if matches!(c, '\n' | '\t') { ' ' } else { c };
    text.chars().map(one_space).map(visible_char).collect()
}

/// A line of a patch or a file as a terminal may show it: tabs stay, and no escape sequence is left.
pub(crate) fn visible_line(line: &str) -> String {
    line.chars().map(|c| if c == '\t' { c } else { visible_char(c) }).collect()
}

/// The character, or a mark in its place if it controls the terminal or reorders or hides the text around it.
fn visible_char(c: char) -> char {
    let is_format = matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}');
    if c.is_control() || is_format { char::REPLACEMENT_CHARACTER } else { c }
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

    #[test]
    fn s_4_no_escape_sequence_of_an_agents_file_reaches_the_terminal() {
        let line = "+a\t\u{1b}]52;c;cm0=\u{7}\u{1b}[2J\u{202e}b";
        assert_eq!(visible_line(line), "+a\t\u{fffd}]52;c;cm0=\u{fffd}\u{fffd}[2J\u{fffd}b");
        assert_eq!(one_line("a\u{202e}\n\u{200b}b"), "a\u{fffd} \u{fffd}b");
    }

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
    fn empty_columns_are_left_out() {
        let mut table = TextTable::new(&["key", "project", "title"]);
        table.row([(TextStyle::Bold, "T-1"), (TextStyle::Dim, ""), (TextStyle::Plain, "Fix")]);
        assert_eq!(table.render(ColorOutput(false), None), "KEY  TITLE\nT-1  Fix\n");
    }

    #[test]
    fn a_narrow_terminal_cuts_the_flexible_column() {
        let text = table().render(ColorOutput(false), Some(22));
        assert_eq!(text, "KEY   TITLE     LABELS\nT-1   日本語 …\nT-10  \u{fffd}[31mre…  ui\n");
    }

    #[test]
    fn s_4_every_row_fits_the_terminal_if_its_columns_can_be_cut() {
        let mut table = TextTable::new(&["key", "title", "labels"]).flexible(1);
        let labels = "a long list of labels that no terminal shows";
        table.row([
            (TextStyle::Bold, "T-1"),
            (TextStyle::Plain, "日本語のとても長い題"),
            (TextStyle::Plain, labels),
        ]);
        table.note("       a command".to_owned());
        let text = table.render(ColorOutput(false), Some(40));
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert!(text.ends_with("\n       a command\n"), "{text}");
        assert!(!TextTable::without_heading(2).render(ColorOutput(false), None).contains('\n'));
    }

    #[test]
    fn colours_do_not_change_the_columns() {
        let painted = table().render(ColorOutput(true), None);
        assert!(painted.contains("\u{1b}[1mT-10\u{1b}[0m  "), "{painted:?}");
    }
}
