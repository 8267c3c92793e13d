//! Answers of the server with tasks, details, logs and diffs.

use std::collections::HashMap;

use forge_api::NeedsPerson;
use uuid::Uuid;

use crate::commands::board::state::{
    BoardScreen, BoardState, TaskDetail, TextScreen, TextSource, TextTone, log_lines,
};
use crate::commands::board::update::board_effect::BoardEffect;
use crate::commands::board::update::board_event::{LoadedBoard, LoadedLog, LoadedTasks};

impl BoardState {
    pub(crate) fn apply_board(
        &mut self,
        loaded: Result<Box<LoadedBoard>, String>,
    ) -> Vec<BoardEffect> {
        self.refresh.loads_board = false;
        let loaded = match loaded {
            Ok(loaded) => *loaded,
            Err(problem) => {
                self.refresh.is_board_stale = true;
                self.warn(problem);
                return Vec::new();
            }
        };
        let is_first = !self.is_loaded;
        self.project = loaded.project;
        self.set_workflow(loaded.workflow);
        self.agents = loaded.agents;
        self.me = loaded.me;
        self.tasks = loaded.tasks.into_iter().map(|task| (task.id, task)).collect();
        self.truncated = loaded.truncated;
        self.is_loaded = true;
        let bell = self.replace_needs(loaded.needs);
        self.rebuild_columns();
        if is_first {
            self.select_first();
        }
        let mut effects = self.load_stale();
        effects.extend(bell.filter(|_| !is_first));
        effects
    }

    /// Begins where the user is needed, otherwise where there are cards.
    fn select_first(&mut self) {
        if let Some(task) = self.columns.next_needing_person() {
            self.columns.select(task);
        }
        self.columns.leave_empty_column();
    }

    pub(crate) fn apply_tasks(&mut self, loaded: LoadedTasks) -> Vec<BoardEffect> {
        self.refresh.loads_tasks = false;
        let known = |id: Uuid| self.agents.iter().any(|agent| agent.id == id);
        let holders = loaded.tasks.iter().flat_map(|task| task.roles.values());
        // A task of an agent that was added meanwhile: its name is missing.
        let is_agent_new = holders.filter_map(|holder| holder.agent_id()).any(|id| !known(id));
        self.refresh.is_board_stale |= is_agent_new;
        for task in loaded.tasks {
            // The answers of two requests may arrive in either order.
            let is_older =
                self.tasks.get(&task.id).is_some_and(|known| known.version > task.version);
            if !is_older {
                self.tasks.insert(task.id, task);
            }
        }
        for task in &loaded.gone {
            self.tasks.remove(task);
        }
        self.rebuild_columns();
        if let Some(problem) = loaded.problem {
            // Loaded again with the next event, or when the connection is back.
            self.refresh.stale_tasks.extend(loaded.failed);
            self.warn(problem);
            return Vec::new();
        }
        self.load_stale()
    }

    pub(crate) fn apply_needs(
        &mut self,
        loaded: Result<Vec<NeedsPerson>, String>,
    ) -> Vec<BoardEffect> {
        self.refresh.loads_needs = false;
        let bell = match loaded {
            Ok(needs) => self.replace_needs(needs),
            Err(problem) => {
                self.refresh.is_needs_stale = true;
                self.warn(problem);
                return Vec::new();
            }
        };
        self.rebuild_columns();
        let mut effects = self.load_stale();
        effects.extend(bell);
        effects
    }

    /// Replaces the list; the bell rings if a task is new on it and the user wants that.
    fn replace_needs(&mut self, needs: Vec<NeedsPerson>) -> Option<BoardEffect> {
        let needs: HashMap<Uuid, NeedsPerson> =
            needs.into_iter().map(|item| (item.task_id, item)).collect();
        let has_new = needs.keys().any(|task| !self.needs.contains_key(task));
        self.needs = needs;
        (has_new && self.config.bell).then_some(BoardEffect::RingBell)
    }

    pub(crate) fn apply_detail(&mut self, task: Uuid, detail: Box<TaskDetail>) {
        if let BoardScreen::Task(screen) = &mut self.screen
            && screen.task == task
        {
            screen.detail = Some(detail);
        }
    }

    pub(crate) fn apply_diff(&mut self, task: Uuid, patch: Result<String, String>) {
        let Some(screen) = self.visible_text(task) else { return };
        if screen.source != TextSource::Diff {
            return;
        }
        screen.is_loading = false;
        match patch {
            Ok(patch) => screen.lines = TextScreen::patch_lines(&patch),
            Err(problem) => screen.lines = vec![(TextTone::Failure, problem)],
        }
    }

    /// Appends the events, and asks for more while the log grows and is open.
    pub(crate) fn apply_log(
        &mut self,
        visit: u64,
        log: Result<LoadedLog, String>,
    ) -> Vec<BoardEffect> {
        // An answer for a log that was closed meanwhile ends its requests.
        let BoardScreen::Text(screen) = &mut self.screen else { return Vec::new() };
        let (TextSource::Log { after, .. }, true) = (screen.source, screen.visit == visit) else {
            return Vec::new();
        };
        let log = match log {
            Ok(log) => log,
            Err(problem) => {
                screen.is_loading = false;
                screen.lines.push((TextTone::Failure, problem));
                return Vec::new();
            }
        };
        screen.is_loading = false;
        screen.source = TextSource::Log {
            execution: log.execution,
            after: log.next.max(after),
            has_ended: log.has_ended,
        };
        screen.lines.extend(log_lines(&log.events));
        match log.execution {
            Some(execution) if !log.has_ended => vec![BoardEffect::LoadLog {
                task: screen.task,
                visit,
                execution: Some(execution),
                after: log.next.max(after),
                pauses: true,
            }],
            _ => Vec::new(),
        }
    }

    fn visible_text(&mut self, task: Uuid) -> Option<&mut TextScreen> {
        match &mut self.screen {
            BoardScreen::Text(screen) if screen.task == task => Some(screen),
            _ => None,
        }
    }
}
