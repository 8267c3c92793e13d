//! A log or a diff on the whole screen.

use uuid::Uuid;

use crate::commands::board::state::text_wrap::wrap_line;

/// What a text screen shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSource {
    /// The log of an execution; `after` is the number of its last event that is here.
    Log { execution: Option<Uuid>, after: u64, has_ended: bool },
    /// The changes of a task.
    Diff,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTone {
    Plain,
    Dim,
    Bold,
    Added,
    Removed,
    Hunk,
    Failure,
    Tool,
}

/// The text and the part of it that is visible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextScreen {
    pub(crate) task: Uuid,
    pub(crate) key: String,
    /// Number of the visit, which tells answers for this one from those for an earlier one.
    pub(crate) visit: u64,
    pub(crate) source: TextSource,
    pub(crate) lines: Vec<(TextTone, String)>,
    /// Index of the first visible line.
    pub(crate) top: usize,
    /// Whether the last line stays visible while the text grows.
    pub(crate) follows: bool,
    pub(crate) is_loading: bool,
    /// The words that the user looks for.
    pub(crate) search: String,
    /// Whether the task screen was open before.
    pub(crate) from_task: bool,
}

impl TextScreen {
    pub(crate) fn new(
        (task, key): (Uuid, String),
        visit: u64,
        source: TextSource,
        from_task: bool,
    ) -> Self {
        let follows = matches!(source, TextSource::Log { .. });
        Self {
            task,
            key,
            visit,
            source,
            lines: Vec::new(),
            top: 0,
            follows,
            is_loading: true,
            search: String::new(),
            from_task,
        }
    }

    /// Whether a line contains the search.
    pub(crate) fn is_match(&self, line: &str) -> bool {
        !self.search.is_empty() && line.to_lowercase().contains(&self.search.to_lowercase())
    }

    /// Goes to the next match after the first visible line, or to the previous one; wraps. Returns whether there is
    /// one.
    pub(crate) fn go_to_match(&mut self, forward: bool) -> bool {
        let matches: Vec<usize> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, (_, line))| self.is_match(line))
            .map(|(place, _)| place)
            .collect();
        let next = if forward {
            matches.iter().find(|place| **place > self.top).or(matches.first())
        } else {
            matches.iter().rev().find(|place| **place < self.top).or(matches.last())
        };
        if let Some(&place) = next {
            (self.top, self.follows) = (place, false);
        }
        next.is_some()
    }

    /// The first visible line on a screen of this size.
    pub(crate) fn visible_top(&self, width: u16, height: u16) -> usize {
        let last = self.last_top(width, height);
        if self.follows { last } else { self.top.min(self.lines.len().saturating_sub(1)) }
    }

    /// The first visible line when the last one is at the end of the screen.
    fn last_top(&self, width: u16, height: u16) -> usize {
        let mut room = usize::from(height);
        for (place, (_, line)) in self.lines.iter().enumerate().rev() {
            let needed = wrap_line(line, width).len();
            if needed > room {
                return (place + 1).min(self.lines.len().saturating_sub(1));
            }
            room -= needed;
        }
        0
    }

    /// Scrolls by lines; at the end of a log that grows, it follows again.
    pub(crate) fn scroll(&mut self, by: isize, width: u16, height: u16) {
        let last = self.last_top(width, height);
        let top = self.visible_top(width, height).min(last).saturating_add_signed(by);
        self.top = top.min(last);
        self.follows = by > 0 && top >= last && matches!(self.source, TextSource::Log { .. });
    }

    /// The whole text, for a pager.
    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|(_, line)| format!("{line}\n")).collect()
    }

    /// The lines of a patch.
    pub(crate) fn patch_lines(patch: &str) -> Vec<(TextTone, String)> {
        patch
            .lines()
            .map(|line| {
                let tone = match line.as_bytes().first() {
                    _ if line.starts_with("+++") || line.starts_with("---") => TextTone::Dim,
                    Some(b'+') => TextTone::Added,
                    Some(b'-') => TextTone::Removed,
                    Some(b'@') => TextTone::Hunk,
                    _ if line.starts_with("diff ") => TextTone::Bold,
                    Some(b' ') | None => TextTone::Plain,
                    Some(_) => TextTone::Dim,
                };
                (tone, visible(line))
            })
            .collect()
    }
}

/// A line without control characters, with tabs as spaces up to the next multiple of four.
pub(crate) fn visible(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut column = 0;
    for letter in line.chars() {
        match letter {
            '\t' => {
                let spaces = 4 - column % 4;
                shown.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
                continue;
            }
            letter if letter.is_control() => shown.push(char::REPLACEMENT_CHARACTER),
            letter => shown.push(letter),
        }
        column += 1;
    }
    shown
}
