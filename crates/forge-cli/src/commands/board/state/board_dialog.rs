//! Dialogs over a screen: menus, text fields and the list of keys.

use forge_api::ActionView;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::commands::board::state::line_edit::LineEdit;

/// What is open over the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoardDialog {
    /// The field that filters the cards.
    Find(LineEdit),
    /// One of several choices.
    Menu(ChoiceMenu),
    /// One line of text.
    Prompt(TextPrompt),
    /// The list of the keys.
    Help(HelpList),
}

/// What choosing an item does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MenuChoice {
    /// Performs an action of a task.
    Perform { action: ActionView, parameters: Map<String, Value> },
    /// Asks for what the action still needs, then performs it.
    Ask(ActionView),
    /// Closes the menu.
    Keep,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MenuItem {
    pub(crate) label: String,
    /// A fact about it, drawn dimmed.
    pub(crate) note: String,
    pub(crate) choice: MenuChoice,
}

/// A menu for one task. Typing filters its items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChoiceMenu {
    pub(crate) title: String,
    pub(crate) task: Uuid,
    pub(crate) items: Vec<MenuItem>,
    pub(crate) filter: LineEdit,
    /// Position among the items that pass the filter.
    pub(crate) selected: usize,
}

impl ChoiceMenu {
    /// The items that pass the filter.
    pub(crate) fn visible(&self) -> Vec<&MenuItem> {
        let filter = self.filter.text().to_lowercase();
        let passes = |item: &&MenuItem| item.label.to_lowercase().contains(&filter);
        self.items.iter().filter(passes).collect()
    }
}

/// What the text of a field is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PromptPurpose {
    /// The title of a new task.
    NewTask,
    /// A parameter of an action.
    Parameter { task: Uuid, action: Box<ActionView>, name: String, is_required: bool },
    /// The words to find in a text.
    Search,
}

/// A field for one line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextPrompt {
    pub(crate) title: String,
    pub(crate) line: LineEdit,
    pub(crate) purpose: PromptPurpose,
}

/// The list of keys with its filter.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HelpList {
    pub(crate) filter: LineEdit,
    pub(crate) top: usize,
}
