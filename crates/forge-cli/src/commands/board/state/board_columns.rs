//! The columns of the board, and the selected card of each.

use std::collections::HashMap;
use std::ops::Range;

use forge_api::TaskPhase;
use uuid::Uuid;

use crate::commands::board::board_config::CardOrder;
use crate::commands::board::state::task_card::TaskCard;

/// The columns of every workflow (F-6).
pub(crate) const PHASES: [TaskPhase; 5] =
    [TaskPhase::Backlog, TaskPhase::Ready, TaskPhase::Working, TaskPhase::Review, TaskPhase::Done];

/// One column with its cards in the order of display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BoardColumn {
    pub(crate) phase: TaskPhase,
    pub(crate) cards: Vec<TaskCard>,
    /// Index of the selected card.
    pub(crate) selected: usize,
    /// Whether the server has more tasks of this phase than are loaded.
    pub(crate) has_more: bool,
}

/// One line group of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnRow {
    /// The state of the card with this index, where several states share the column.
    Heading(usize),
    /// The card with this index.
    Card(usize),
}

/// All columns; one has the focus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BoardColumns {
    columns: Vec<BoardColumn>,
    focused: usize,
}

impl Default for BoardColumns {
    fn default() -> Self {
        let empty = |phase| BoardColumn { phase, cards: Vec::new(), selected: 0, has_more: false };
        Self { columns: PHASES.map(empty).to_vec(), focused: 2 }
    }
}

impl BoardColumn {
    /// The title of the column.
    pub(crate) const fn title(&self) -> &'static str {
        match self.phase {
            TaskPhase::Backlog => "Backlog",
            TaskPhase::Ready => "Ready",
            TaskPhase::Working => "Working",
            TaskPhase::Review => "Review",
            TaskPhase::Done => "Done",
        }
    }

    /// The rows in the order of display. States get headings only if there are several.
    pub(crate) fn rows(&self) -> Vec<ColumnRow> {
        let has_headings =
            self.cards.windows(2).any(|pair| matches!(pair, [a, b] if a.status != b.status));
        let mut rows = Vec::with_capacity(self.cards.len());
        let mut before: Option<&str> = None;
        for (index, card) in self.cards.iter().enumerate() {
            if has_headings && before != Some(&card.status) {
                rows.push(ColumnRow::Heading(index));
                before = Some(&card.status);
            }
            rows.push(ColumnRow::Card(index));
        }
        rows
    }

    /// The rows of the page that contains the selected card. Pages are filled from the top, so that the rows do not
    /// move while the selection moves inside a page.
    pub(crate) fn page(
        rows: &[ColumnRow],
        selected: usize,
        height: u16,
        card: u16,
    ) -> Range<usize> {
        let rows_of = |row: &ColumnRow| match row {
            ColumnRow::Heading(_) => 1,
            ColumnRow::Card(_) => card,
        };
        let (mut start, mut used, mut found) = (0, 0, false);
        for (place, row) in rows.iter().enumerate() {
            let needed = rows_of(row);
            if used + needed > height && place > start {
                if found {
                    return start..place;
                }
                (start, used) = (place, 0);
            }
            used += needed;
            found |= *row == ColumnRow::Card(selected);
        }
        start..rows.len()
    }
}

impl BoardColumns {
    pub(crate) fn all(&self) -> &[BoardColumn] {
        &self.columns
    }

    pub(crate) fn focused_index(&self) -> usize {
        self.focused
    }

    pub(crate) fn focused(&self) -> Option<&BoardColumn> {
        self.columns.get(self.focused)
    }

    /// The selected card of the focused column.
    pub(crate) fn selected(&self) -> Option<&TaskCard> {
        let column = self.focused()?;
        column.cards.get(column.selected)
    }

    /// The card of a task.
    pub(crate) fn card(&self, task: Uuid) -> Option<&TaskCard> {
        self.columns.iter().flat_map(|column| &column.cards).find(|card| card.id == task)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.iter().all(|column| column.cards.is_empty())
    }

    /// Replaces the cards. In each column the selected card stays selected; if it left the column, the card that took
    /// its place is selected, so that the selection does not jump.
    pub(crate) fn replace(
        &mut self,
        mut cards: Vec<TaskCard>,
        order: CardOrder,
        ranks: &HashMap<String, usize>,
        truncated: &[TaskPhase],
    ) {
        sort(&mut cards, order, ranks);
        for column in &mut self.columns {
            let before = column.cards.get(column.selected).map(|card| card.id);
            let phase = column.phase;
            column.cards = cards.extract_if(.., |card| card.phase == phase).collect();
            let same = column.cards.iter().position(|card| Some(card.id) == before);
            let last = column.cards.len().saturating_sub(1);
            column.selected = same.unwrap_or(column.selected).min(last);
            column.has_more = truncated.contains(&phase);
        }
    }

    /// Moves the focus to the next column in a direction, past empty ones if another has cards.
    pub(crate) fn move_focus(&mut self, forward: bool) {
        let beyond: Vec<usize> = if forward {
            (self.focused + 1..self.columns.len()).collect()
        } else {
            (0..self.focused).rev().collect()
        };
        let has_cards =
            |index: &usize| self.columns.get(*index).is_some_and(|column| !column.cards.is_empty());
        let next = beyond.iter().copied().find(has_cards).or(beyond.first().copied());
        self.focused = next.unwrap_or(self.focused);
    }

    /// Moves the selection in the focused column.
    pub(crate) fn move_selection(&mut self, by: isize) {
        if let Some(column) = self.columns.get_mut(self.focused) {
            let last = column.cards.len().saturating_sub(1);
            column.selected = column.selected.saturating_add_signed(by).min(last);
        }
    }

    /// Selects a task and gives its column the focus; returns whether it is on the board.
    pub(crate) fn select(&mut self, task: Uuid) -> bool {
        for (index, column) in self.columns.iter_mut().enumerate() {
            if let Some(place) = column.cards.iter().position(|card| card.id == task) {
                (self.focused, column.selected) = (index, place);
                return true;
            }
        }
        false
    }

    /// Gives the first column with cards the focus if the focused one is empty.
    pub(crate) fn leave_empty_column(&mut self) {
        if self.focused().is_some_and(|column| column.cards.is_empty()) {
            let first = self.columns.iter().position(|column| !column.cards.is_empty());
            self.focused = first.unwrap_or(self.focused);
        }
    }

    /// The next card after the selected one that needs a person, in the order of the board; wraps at the end.
    pub(crate) fn next_needing_person(&self) -> Option<Uuid> {
        let here = (self.focused, self.focused().map_or(0, |column| column.selected));
        let all = self.columns.iter().enumerate().flat_map(|(index, column)| {
            let cards = column.cards.iter().enumerate();
            cards.map(move |(place, card)| ((index, place), card))
        });
        let needing: Vec<_> = all.filter(|(_, card)| card.needs_person).collect();
        let next = needing.iter().find(|(place, _)| *place > here).or_else(|| needing.first());
        next.map(|(_, card)| card.id)
    }
}

fn sort(cards: &mut [TaskCard], order: CardOrder, ranks: &HashMap<String, usize>) {
    let rank = |card: &TaskCard| ranks.get(&card.status).copied().unwrap_or(usize::MAX);
    cards.sort_by(|one, other| {
        let by_state = || rank(one).cmp(&rank(other)).then_with(|| one.status.cmp(&other.status));
        let by_attention = || match order {
            CardOrder::Priority => std::cmp::Ordering::Equal,
            CardOrder::Attention => {
                let key =
                    |card: &TaskCard| (!card.needs_person, card.needs_person.then_some(card.since));
                key(one).cmp(&key(other))
            }
        };
        let by_end = || match one.phase {
            // The newest end first.
            TaskPhase::Done => other.since.cmp(&one.since),
            _ => std::cmp::Ordering::Equal,
        };
        let by_state_first = match order {
            CardOrder::Priority => by_state().then_with(by_attention),
            CardOrder::Attention => by_attention().then_with(by_state),
        };
        by_state_first
            .then_with(by_end)
            .then_with(|| other.priority.cmp(&one.priority))
            .then_with(|| one.number.cmp(&other.number))
    });
}
