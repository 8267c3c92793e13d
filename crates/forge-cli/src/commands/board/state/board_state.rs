//! The state of the board.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use forge_api::{
    Agent, Execution, NeedsPerson, Project, StateKind, StateView, Task, TaskPhase, TaskWaiting,
    WorkflowView, WorkspaceView,
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::commands::board::board_config::BoardConfig;
use crate::commands::board::keys::KeyPane;
use crate::commands::board::state::board_columns::BoardColumns;
use crate::commands::board::state::board_dialog::BoardDialog;
use crate::commands::board::state::card_meaning::CardMeaning;
use crate::commands::board::state::task_card::{CardNames, TaskCard};
use crate::commands::board::state::text_screen::TextScreen;

/// The connection to the event stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConnectionState {
    /// Not connected yet.
    Connecting,
    /// The stream is open, and events arrive.
    Live,
    /// The connection is lost since then; the stream reconnects.
    Lost(Timestamp),
    /// The server refused the stream, for this reason; it is not tried again.
    Refused(String),
}

/// A message to the user: one line of result, or what went wrong and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BoardNotice {
    pub(crate) is_problem: bool,
    pub(crate) text: String,
}

/// The whole screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoardScreen {
    /// The columns of the board.
    Columns,
    /// The page of one task.
    Task(TaskScreen),
    /// A log or a diff.
    Text(TextScreen),
}

/// One task on the whole screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskScreen {
    pub(crate) task: Uuid,
    /// What the server says about it; `None` while it loads.
    pub(crate) detail: Option<Box<TaskDetail>>,
    /// Index of the first visible line.
    pub(crate) top: usize,
}

/// What the task screen shows beside the task itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskDetail {
    pub(crate) waiting: Option<TaskWaiting>,
    pub(crate) workspace: Option<WorkspaceView>,
    pub(crate) executions: Vec<Execution>,
}

/// What is out of date, and what is being loaded. A request runs at most once at a time; what changes meanwhile is
/// loaded afterwards, so that many events cause few requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RefreshQueue {
    pub(crate) stale_tasks: BTreeSet<Uuid>,
    pub(crate) loads_tasks: bool,
    pub(crate) is_needs_stale: bool,
    pub(crate) loads_needs: bool,
    pub(crate) is_board_stale: bool,
    pub(crate) loads_board: bool,
}

/// Everything that the board shows.
#[derive(Debug)]
pub(crate) struct BoardState {
    pub(crate) config: BoardConfig,
    pub(crate) project: Project,
    pub(crate) now: Timestamp,
    pub(crate) size: (u16, u16),
    pub(crate) has_colors: bool,
    pub(crate) connection: ConnectionState,
    /// Whether the tasks have arrived.
    pub(crate) is_loaded: bool,
    pub(crate) tasks: HashMap<Uuid, Task>,
    pub(crate) truncated: Vec<TaskPhase>,
    pub(crate) needs: HashMap<Uuid, NeedsPerson>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) me: Option<Uuid>,
    pub(crate) branches: HashMap<Uuid, String>,
    pub(crate) states: BTreeMap<String, StateView>,
    /// Position of each state in the workflow.
    pub(crate) ranks: HashMap<String, usize>,
    pub(crate) columns: BoardColumns,
    /// The words that filter the cards.
    pub(crate) filter: String,
    pub(crate) screen: BoardScreen,
    pub(crate) dialog: Option<BoardDialog>,
    pub(crate) notice: Option<BoardNotice>,
    /// Actions in the background, by task.
    pub(crate) pending: BTreeMap<Uuid, String>,
    pub(crate) refresh: RefreshQueue,
    /// A task to select once it is on the board.
    pub(crate) wanted: Option<Uuid>,
    /// Number of texts that were opened.
    pub(crate) visits: u64,
    /// The window's title as it was last set.
    pub(crate) window_title: String,
}

impl BoardState {
    pub(crate) fn new(project: Project, config: BoardConfig, now: Timestamp) -> Self {
        Self {
            config,
            project,
            now,
            size: (80, 24),
            has_colors: true,
            connection: ConnectionState::Connecting,
            is_loaded: false,
            tasks: HashMap::new(),
            truncated: Vec::new(),
            needs: HashMap::new(),
            agents: Vec::new(),
            me: None,
            branches: HashMap::new(),
            states: BTreeMap::new(),
            ranks: HashMap::new(),
            columns: BoardColumns::default(),
            filter: String::new(),
            screen: BoardScreen::Columns,
            dialog: None,
            notice: None,
            pending: BTreeMap::new(),
            refresh: RefreshQueue::default(),
            wanted: None,
            visits: 0,
            window_title: String::new(),
        }
    }

    /// The pane whose keys apply.
    pub(crate) fn pane(&self) -> KeyPane {
        match self.screen {
            BoardScreen::Columns => KeyPane::Board,
            BoardScreen::Task(_) => KeyPane::Task,
            BoardScreen::Text(_) => KeyPane::Text,
        }
    }

    /// The task that the keys act on.
    pub(crate) fn current_task(&self) -> Option<&Task> {
        let id = match &self.screen {
            BoardScreen::Columns => self.columns.selected()?.id,
            BoardScreen::Task(screen) => screen.task,
            BoardScreen::Text(screen) => screen.task,
        };
        self.tasks.get(&id)
    }

    /// The kind of a state; `None` for a state of a workflow that was replaced.
    pub(crate) fn state_kind(&self, state: &str) -> Option<StateKind> {
        self.states.get(state).map(|state| state.kind)
    }

    /// Replaces the states of the workflow.
    pub(crate) fn set_workflow(&mut self, workflow: WorkflowView) {
        let names = workflow.states.iter().map(|state| state.name.clone());
        self.ranks = names.enumerate().map(|(place, name)| (name, place)).collect();
        let states = workflow.states.into_iter();
        self.states = states.map(|state| (state.name.clone(), state)).collect();
    }

    /// Derives the columns again, after a change of what they are made from.
    pub(crate) fn rebuild_columns(&mut self) {
        let agents = self.agents.iter().map(|agent| (agent.id, agent.name.clone())).collect();
        let names = CardNames {
            agents: &agents,
            me: self.me,
            branches: &self.branches,
            needs: &self.needs,
            tasks: &self.tasks,
            states: &self.states,
        };
        let words: Vec<String> =
            self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let live = self.tasks.values().filter(|task| task.archived_at.is_none());
        let cards: Vec<TaskCard> = live
            .map(|task| TaskCard::of(task, names))
            .filter(|card| words.is_empty() || card.matches(&words))
            .collect();
        let before = self.columns.selected().map(|card| card.id);
        self.columns.replace(cards, self.config.order, &self.ranks, &self.truncated);
        // The focus follows the last card of a column; otherwise it stays for the next card.
        if let (Some(before), None) = (before, self.columns.selected()) {
            self.columns.select(before);
        }
        if let Some(wanted) = self.wanted
            && self.columns.select(wanted)
        {
            self.wanted = None;
        }
    }

    /// The cards of each counted meaning.
    pub(crate) fn meaning_counts(&self) -> Vec<(CardMeaning, usize)> {
        let cards = || self.columns.all().iter().flat_map(|column| &column.cards);
        let count = |meaning| {
            let live = cards().filter(|card| card.phase != TaskPhase::Done);
            live.filter(|card| card.meaning == meaning).count()
        };
        CardMeaning::COUNTED.into_iter().map(|meaning| (meaning, count(meaning))).collect()
    }

    /// The number of tasks of this project that wait for a person.
    pub(crate) fn needs_count(&self) -> usize {
        self.needs.len()
    }

    /// Tells the user a result.
    pub(crate) fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(BoardNotice { is_problem: false, text: text.into() });
    }

    /// Tells the user what went wrong and what to do next.
    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.notice = Some(BoardNotice { is_problem: true, text: text.into() });
    }
}
