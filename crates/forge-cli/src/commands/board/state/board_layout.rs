//! How the board divides the terminal.

/// Below this width the board shows one column at a time.
const SIDE_BY_SIDE_WIDTH: u16 = 100;
/// From this height on, cards have a line of space between them.
const SPACIOUS_HEIGHT: u16 = 32;

/// The sizes that both the drawing and the paging need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardLayout {
    /// Whether all columns are visible.
    pub(crate) is_side_by_side: bool,
    /// Lines of one card, with the space below it.
    pub(crate) card_height: u16,
    /// Lines for the cards of a column.
    pub(crate) list_height: u16,
    /// Width of a text screen.
    pub(crate) text_width: u16,
    /// Lines of a text screen.
    pub(crate) text_height: u16,
}

impl BoardLayout {
    /// The layout of a terminal with this size. Header, column titles, the line of hints and the border take the
    /// rest.
    pub(crate) fn of((width, height): (u16, u16)) -> Self {
        let is_side_by_side = width >= SIDE_BY_SIDE_WIDTH;
        let is_spacious = height >= SPACIOUS_HEIGHT;
        let lines = if is_side_by_side { 3 } else { 2 };
        Self {
            is_side_by_side,
            card_height: lines + u16::from(is_spacious),
            list_height: height.saturating_sub(5).max(1),
            text_width: width.max(1),
            text_height: height.saturating_sub(2).max(1),
        }
    }

    /// Cards that one key press moves over to get to the next page.
    pub(crate) fn cards_per_page(self) -> usize {
        usize::from((self.list_height / self.card_height.max(1)).max(1))
    }
}
