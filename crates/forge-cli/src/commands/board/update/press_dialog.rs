//! Keys in dialogs. They are fixed: typing edits, enter accepts, esc closes.

use crossterm::event::KeyCode;
use serde_json::json;

use crate::commands::board::keys::KeyChord;
use crate::commands::board::state::{
    BoardDialog, BoardLayout, BoardScreen, BoardState, ChoiceMenu, HelpList, LineEdit, MenuChoice,
    PromptPurpose, TextPrompt,
};
use crate::commands::board::update::board_effect::BoardEffect;
use crate::terminal::text_table::one_line;

impl BoardState {
    pub(crate) fn press_dialog(&mut self, key: KeyChord) -> Vec<BoardEffect> {
        let is_control_c = key.control && key.code == KeyCode::Char('c');
        let closes = is_control_c || key.code == KeyCode::Esc;
        match self.dialog.take() {
            None => Vec::new(),
            Some(BoardDialog::Find(line)) => {
                self.press_find(line, key, closes);
                Vec::new()
            }
            Some(_) if closes => Vec::new(),
            Some(BoardDialog::Menu(menu)) => self.press_menu(menu, key),
            Some(BoardDialog::Prompt(prompt)) => self.press_prompt(prompt, key),
            Some(BoardDialog::Help(help)) => {
                self.press_help(help, key);
                Vec::new()
            }
        }
    }

    /// Filters while the user types; arrows move through what is left.
    fn press_find(&mut self, mut line: LineEdit, key: KeyChord, closes: bool) {
        match key.code {
            _ if closes => self.filter.clear(),
            KeyCode::Enter => return,
            KeyCode::Up => self.columns.move_selection(-1),
            KeyCode::Down => self.columns.move_selection(1),
            KeyCode::Tab => self.columns.move_focus(true),
            KeyCode::BackTab => self.columns.move_focus(false),
            _ => {
                line.press(key);
                self.filter = line.text();
            }
        }
        let changed =
            !matches!(key.code, KeyCode::Up | KeyCode::Down | KeyCode::Tab | KeyCode::BackTab);
        if changed {
            self.rebuild_columns();
            self.columns.leave_empty_column();
        }
        if !closes {
            self.dialog = Some(BoardDialog::Find(line));
        }
    }

    fn press_menu(&mut self, mut menu: ChoiceMenu, key: KeyChord) -> Vec<BoardEffect> {
        let last = menu.visible().len().saturating_sub(1);
        match key.code {
            KeyCode::Up => menu.selected = menu.selected.saturating_sub(1),
            KeyCode::Down => menu.selected = (menu.selected + 1).min(last),
            KeyCode::Enter => {
                let chosen = menu.visible().get(menu.selected).map(|item| item.choice.clone());
                if let Some(chosen) = chosen {
                    return self.choose(menu.task, chosen);
                }
            }
            _ => {
                if menu.filter.press(key) {
                    menu.selected = 0;
                }
            }
        }
        self.dialog = Some(BoardDialog::Menu(menu));
        Vec::new()
    }

    fn choose(&mut self, task: uuid::Uuid, choice: MenuChoice) -> Vec<BoardEffect> {
        match choice {
            MenuChoice::Keep => Vec::new(),
            MenuChoice::Perform { action, parameters } => self.perform(task, action, parameters),
            MenuChoice::Ask(action) => match self.tasks.get(&task).cloned() {
                Some(task) => self.ask_for_parameters(&task, action),
                None => Vec::new(),
            },
        }
    }

    fn press_prompt(&mut self, mut prompt: TextPrompt, key: KeyChord) -> Vec<BoardEffect> {
        if key.code != KeyCode::Enter {
            prompt.line.press(key);
            self.dialog = Some(BoardDialog::Prompt(prompt));
            return Vec::new();
        }
        let text = prompt.line.text().trim().to_owned();
        match prompt.purpose.clone() {
            PromptPurpose::Search => {
                if let BoardScreen::Text(screen) = &mut self.screen {
                    screen.search = text;
                    let found = screen.search.is_empty() || screen.go_to_match(true);
                    let words = one_line(&screen.search);
                    if !found {
                        self.tell(format!("No line contains `{words}`"));
                    }
                }
                Vec::new()
            }
            PromptPurpose::NewTask if text.is_empty() => {
                self.warn("A task needs a title; esc closes the field");
                self.dialog = Some(BoardDialog::Prompt(prompt));
                Vec::new()
            }
            PromptPurpose::NewTask => vec![BoardEffect::CreateTask { title: text }],
            PromptPurpose::Parameter { is_required: true, name, .. } if text.is_empty() => {
                self.warn(format!("The {name} cannot be empty; esc closes the field"));
                self.dialog = Some(BoardDialog::Prompt(prompt));
                Vec::new()
            }
            PromptPurpose::Parameter { task, action, name, .. } => {
                let mut parameters = serde_json::Map::new();
                if !text.is_empty() {
                    parameters.insert(name, json!(text));
                }
                self.perform(task, *action, parameters)
            }
        }
    }

    fn press_help(&mut self, mut help: HelpList, key: KeyChord) {
        let page = usize::from(BoardLayout::of(self.size).text_height.saturating_sub(4).max(1));
        match key.code {
            KeyCode::Enter => return,
            KeyCode::Up => help.top = help.top.saturating_sub(1),
            KeyCode::Down => help.top += 1,
            KeyCode::PageUp => help.top = help.top.saturating_sub(page),
            KeyCode::PageDown => help.top += page,
            _ => {
                if help.filter.press(key) {
                    help.top = 0;
                }
            }
        }
        self.dialog = Some(BoardDialog::Help(help));
    }
}
