//! Keys on the board, a task and a text.

use crate::commands::board::board_config::CardOrder;
use crate::commands::board::keys::{KeyAction, KeyChord, KeyPane};
use crate::commands::board::state::{
    BoardDialog, BoardLayout, BoardScreen, BoardState, HelpList, LineEdit, PromptPurpose,
    TaskScreen, TextPrompt, TextScreen, TextSource,
};
use crate::commands::board::update::board_effect::BoardEffect;
use crate::commands::board::update::board_event::ActionWish;

impl BoardState {
    pub(crate) fn press_key(&mut self, key: KeyChord) -> Vec<BoardEffect> {
        self.notice = None;
        if self.dialog.is_some() {
            return self.press_dialog(key);
        }
        match self.config.keys.action(self.pane(), key) {
            Some(action) => self.run(action),
            None => Vec::new(),
        }
    }

    fn run(&mut self, action: KeyAction) -> Vec<BoardEffect> {
        match action {
            KeyAction::Quit => vec![BoardEffect::Quit],
            KeyAction::Suspend => vec![BoardEffect::Suspend],
            KeyAction::Help => {
                self.dialog = Some(BoardDialog::Help(HelpList::default()));
                Vec::new()
            }
            KeyAction::Close => self.close(),
            KeyAction::Reload => self.reload(),
            KeyAction::NextNeedingYou => self.go_to_next_needing_person(),
            KeyAction::Find => self.open_find(),
            KeyAction::Open => self.open_task(),
            KeyAction::Start => self.wish(ActionWish::Start),
            KeyAction::Move => self.wish(ActionWish::Move),
            KeyAction::Stop => self.wish(ActionWish::Stop),
            KeyAction::Steer => self.wish(ActionWish::Steer),
            KeyAction::Actions => self.wish(ActionWish::Choose),
            KeyAction::NewTask => {
                self.dialog = Some(BoardDialog::Prompt(TextPrompt {
                    title: "New task · title".to_owned(),
                    line: LineEdit::default(),
                    purpose: PromptPurpose::NewTask,
                }));
                Vec::new()
            }
            KeyAction::Log => {
                self.open_text(TextSource::Log { execution: None, after: 0, has_ended: false })
            }
            KeyAction::Diff => self.open_text(TextSource::Diff),
            KeyAction::Editor => match self.current_task() {
                Some(task) => vec![BoardEffect::FindWorktree(task.id)],
                None => self.warn_without_task(),
            },
            KeyAction::Pager => match &self.screen {
                BoardScreen::Text(screen) => vec![BoardEffect::OpenPager(screen.text())],
                BoardScreen::Columns | BoardScreen::Task(_) => Vec::new(),
            },
            KeyAction::NextMatch => self.go_to_match(true),
            KeyAction::PreviousMatch => self.go_to_match(false),
            KeyAction::Sort => {
                self.change_order();
                Vec::new()
            }
            KeyAction::PreviousColumn => {
                self.columns.move_focus(false);
                Vec::new()
            }
            KeyAction::NextColumn => {
                self.columns.move_focus(true);
                Vec::new()
            }
            KeyAction::Up => self.scroll(-1),
            KeyAction::Down => self.scroll(1),
            KeyAction::PageUp => self.scroll(-self.page()),
            KeyAction::PageDown => self.scroll(self.page()),
            KeyAction::First => self.scroll(isize::MIN),
            KeyAction::Last => self.scroll(isize::MAX),
        }
    }

    /// Lines or cards of one page.
    fn page(&self) -> isize {
        let layout = BoardLayout::of(self.size);
        let page = match self.pane() {
            KeyPane::Board => layout.cards_per_page(),
            KeyPane::Task | KeyPane::Text => {
                usize::from(layout.text_height.saturating_sub(1).max(1))
            }
        };
        isize::try_from(page).unwrap_or(1)
    }

    fn scroll(&mut self, by: isize) -> Vec<BoardEffect> {
        let layout = BoardLayout::of(self.size);
        match &mut self.screen {
            BoardScreen::Columns => self.columns.move_selection(by),
            BoardScreen::Task(screen) => screen.top = screen.top.saturating_add_signed(by),
            BoardScreen::Text(screen) => screen.scroll(by, layout.text_width, layout.text_height),
        }
        Vec::new()
    }

    /// Goes back one step: text, task, board, filter. Never quits.
    fn close(&mut self) -> Vec<BoardEffect> {
        match &self.screen {
            BoardScreen::Text(screen) if screen.from_task => {
                let task = screen.task;
                self.screen = BoardScreen::Task(TaskScreen { task, detail: None, top: 0 });
                return vec![BoardEffect::LoadDetail(task)];
            }
            BoardScreen::Text(_) | BoardScreen::Task(_) => self.screen = BoardScreen::Columns,
            BoardScreen::Columns if !self.filter.is_empty() => {
                self.filter.clear();
                self.rebuild_columns();
            }
            BoardScreen::Columns => {
                let quit = self.config.keys.first_key(KeyAction::Quit);
                self.tell(quit.map(|key| format!("{key} quits")).unwrap_or_default());
            }
        }
        Vec::new()
    }

    fn reload(&mut self) -> Vec<BoardEffect> {
        self.refresh.is_board_stale = true;
        let mut effects = vec![BoardEffect::Redraw];
        effects.extend(self.load_stale());
        match &mut self.screen {
            BoardScreen::Columns => {}
            BoardScreen::Task(screen) => effects.push(BoardEffect::LoadDetail(screen.task)),
            BoardScreen::Text(screen) => {
                if screen.source == TextSource::Diff {
                    screen.is_loading = true;
                    effects.push(BoardEffect::LoadDiff(screen.task));
                }
            }
        }
        effects
    }

    fn go_to_next_needing_person(&mut self) -> Vec<BoardEffect> {
        let Some(task) = self.columns.next_needing_person() else {
            let hidden = self.needs_count();
            match hidden {
                0 => self.tell("Nothing needs you"),
                _ => self.tell("No visible task needs you; esc shows all tasks again"),
            }
            return Vec::new();
        };
        self.columns.select(task);
        if let BoardScreen::Task(_) = self.screen {
            return self.open_task();
        }
        Vec::new()
    }

    fn open_find(&mut self) -> Vec<BoardEffect> {
        if let BoardScreen::Text(screen) = &self.screen {
            self.dialog = Some(BoardDialog::Prompt(TextPrompt {
                title: "Find".to_owned(),
                line: LineEdit::with_text(&screen.search),
                purpose: PromptPurpose::Search,
            }));
            return Vec::new();
        }
        self.dialog = Some(BoardDialog::Find(LineEdit::with_text(&self.filter)));
        vec![BoardEffect::LoadBranches]
    }

    fn open_task(&mut self) -> Vec<BoardEffect> {
        let Some(task) = self.columns.selected().map(|card| card.id) else {
            return self.warn_without_task();
        };
        self.screen = BoardScreen::Task(TaskScreen { task, detail: None, top: 0 });
        vec![BoardEffect::LoadDetail(task)]
    }

    fn wish(&mut self, wish: ActionWish) -> Vec<BoardEffect> {
        let Some(task) = self.current_task().map(|task| task.id) else {
            return self.warn_without_task();
        };
        if let Some(words) = self.pending.get(&task) {
            let text = format!("still waiting for: {words}");
            self.tell(text);
            return Vec::new();
        }
        vec![BoardEffect::LoadActions { task, wish }]
    }

    fn open_text(&mut self, source: TextSource) -> Vec<BoardEffect> {
        let from_task = matches!(self.screen, BoardScreen::Task(_));
        let Some((id, key)) = self.current_task().map(|task| (task.id, task.key.clone())) else {
            return self.warn_without_task();
        };
        self.visits += 1;
        let visit = self.visits;
        self.screen = BoardScreen::Text(TextScreen::new((id, key), visit, source, from_task));
        match source {
            TextSource::Diff => vec![BoardEffect::LoadDiff(id)],
            TextSource::Log { .. } => {
                let log = BoardEffect::LoadLog {
                    task: id,
                    visit,
                    execution: None,
                    after: 0,
                    pauses: false,
                };
                vec![log]
            }
        }
    }

    fn go_to_match(&mut self, forward: bool) -> Vec<BoardEffect> {
        if let BoardScreen::Text(screen) = &mut self.screen
            && !screen.go_to_match(forward)
        {
            let text = match screen.search.as_str() {
                "" => "Nothing to find; / asks for words".to_owned(),
                words => format!("No line contains `{words}`"),
            };
            self.tell(text);
        }
        Vec::new()
    }

    fn change_order(&mut self) {
        let (order, text) = match self.config.order {
            CardOrder::Priority => (CardOrder::Attention, "Sorted: tasks that need you first"),
            CardOrder::Attention => (CardOrder::Priority, "Sorted by state and priority"),
        };
        self.config.order = order;
        self.tell(text);
        self.rebuild_columns();
    }

    fn warn_without_task(&mut self) -> Vec<BoardEffect> {
        let new = self.config.keys.first_key(KeyAction::NewTask);
        let hint = new.map(|key| format!("; {key} creates one")).unwrap_or_default();
        self.tell(format!("No task is selected{hint}"));
        Vec::new()
    }
}
