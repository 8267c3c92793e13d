//! The entry of all changes.

use crate::commands::board::state::{BoardDialog, BoardState, ConnectionState};
use crate::commands::board::update::board_effect::BoardEffect;
use crate::commands::board::update::board_event::BoardEvent;

impl BoardState {
    /// Applies an event and returns what is to be done.
    pub(crate) fn update(&mut self, event: BoardEvent) -> Vec<BoardEffect> {
        let mut effects = match event {
            BoardEvent::KeyPressed(key) => self.press_key(key),
            BoardEvent::Pasted(text) => {
                self.paste(&text);
                Vec::new()
            }
            BoardEvent::Resized(width, height) => {
                self.size = (width, height);
                Vec::new()
            }
            BoardEvent::TimePassed(now) => {
                self.now = now;
                Vec::new()
            }
            BoardEvent::Connected => self.apply_connected(),
            BoardEvent::ConnectionLost => {
                self.connection = ConnectionState::Lost(self.now);
                Vec::new()
            }
            BoardEvent::ConnectionRefused(reason) => {
                self.warn(reason.clone());
                self.connection = ConnectionState::Refused(reason);
                Vec::new()
            }
            BoardEvent::ServerEvent(event) => self.apply_server_event(&event),
            BoardEvent::BoardLoaded(loaded) => self.apply_board(loaded),
            BoardEvent::TasksLoaded(loaded) => self.apply_tasks(loaded),
            BoardEvent::NeedsLoaded(loaded) => self.apply_needs(loaded),
            BoardEvent::BranchesLoaded(branches) => {
                self.branches = branches;
                self.rebuild_columns();
                Vec::new()
            }
            BoardEvent::DetailLoaded { task, detail } => {
                self.apply_detail(task, detail);
                Vec::new()
            }
            BoardEvent::ActionsLoaded { task, wish, actions, agents } => {
                if !agents.is_empty() {
                    self.agents = agents;
                }
                self.apply_actions(task, wish, actions)
            }
            BoardEvent::Explained(text) => {
                self.warn(text);
                Vec::new()
            }
            BoardEvent::LogLoaded { visit, log } => self.apply_log(visit, log),
            BoardEvent::DiffLoaded { task, patch } => {
                self.apply_diff(task, patch);
                Vec::new()
            }
            BoardEvent::Performed { task, words, answer } => {
                self.apply_performed(task, &words, answer)
            }
            BoardEvent::TaskCreated(created) => self.apply_created(created),
            BoardEvent::WorktreeFound(found) => match found {
                Ok(path) => vec![BoardEffect::OpenEditor(path)],
                Err(problem) => {
                    self.warn(problem);
                    Vec::new()
                }
            },
            BoardEvent::ProgramEnded(ended) => {
                if let Err(problem) = ended {
                    self.warn(problem);
                }
                Vec::new()
            }
        };
        effects.extend(self.refresh_title());
        effects
    }

    fn paste(&mut self, text: &str) {
        match &mut self.dialog {
            Some(BoardDialog::Find(line)) => {
                line.insert(text);
                self.filter = line.text();
                self.rebuild_columns();
            }
            Some(BoardDialog::Prompt(prompt)) => prompt.line.insert(text),
            Some(BoardDialog::Menu(menu)) => menu.filter.insert(text),
            Some(BoardDialog::Help(help)) => help.filter.insert(text),
            None => {}
        }
    }

    fn refresh_title(&mut self) -> Option<BoardEffect> {
        if !self.config.title || !self.is_loaded {
            return None;
        }
        let name = &self.project.name;
        let title = match self.needs_count() {
            0 => format!("{name} · Forge"),
            count => format!("({count}) {name} · Forge"),
        };
        if title == self.window_title {
            return None;
        }
        self.window_title.clone_from(&title);
        Some(BoardEffect::SetTitle(title))
    }
}
