//! Events of the server: what they make stale, and when it is loaded.

use forge_api::{EventType, EventView};

use crate::commands::board::state::{BoardScreen, BoardState, ConnectionState};
use crate::commands::board::update::board_effect::BoardEffect;

/// With more stale tasks than this, one load of the whole board costs less than a request for each.
const MOST_SINGLE_LOADS: usize = 40;

impl BoardState {
    /// The types of events that the board listens to.
    pub(crate) fn event_types() -> String {
        let listens = |kind: &&EventType| event_scope(**kind) != EventScope::Nothing;
        let names: Vec<_> =
            EventType::ALL.iter().filter(listens).map(|kind| kind.as_str()).collect();
        names.join(",")
    }

    /// Loads the board at the first connection. After a lost one, the stream continues without a gap.
    pub(crate) fn apply_connected(&mut self) -> Vec<BoardEffect> {
        self.connection = ConnectionState::Live;
        self.refresh.is_board_stale |= !self.is_loaded;
        // Also what could not be loaded while the server was away.
        self.load_stale()
    }

    pub(crate) fn apply_server_event(&mut self, event: &EventView) -> Vec<BoardEffect> {
        match (event_scope(event.kind), event.task_id) {
            (EventScope::Task, Some(task)) => {
                self.refresh.stale_tasks.insert(task);
                self.refresh.is_needs_stale = true;
            }
            (EventScope::Board, _) => self.refresh.is_board_stale = true,
            (EventScope::Task, None) | (EventScope::Nothing, _) => {}
        }
        self.load_stale()
    }

    /// Starts the loads of what is stale and not being loaded yet.
    pub(crate) fn load_stale(&mut self) -> Vec<BoardEffect> {
        let refresh = &mut self.refresh;
        let mut effects = Vec::new();
        refresh.is_board_stale |= refresh.stale_tasks.len() > MOST_SINGLE_LOADS;
        if refresh.is_board_stale && !refresh.loads_board {
            (refresh.is_board_stale, refresh.loads_board) = (false, true);
            refresh.stale_tasks.clear();
            refresh.is_needs_stale = false;
            effects.push(BoardEffect::LoadBoard);
        }
        // A change during the load of the board may be missing in it.
        if refresh.loads_board {
            return effects;
        }
        if !refresh.stale_tasks.is_empty() && !refresh.loads_tasks {
            refresh.loads_tasks = true;
            let tasks = std::mem::take(&mut refresh.stale_tasks);
            if let BoardScreen::Task(screen) = &self.screen
                && tasks.contains(&screen.task)
            {
                effects.push(BoardEffect::LoadDetail(screen.task));
            }
            effects.push(BoardEffect::LoadTasks(tasks.into_iter().collect()));
        }
        if refresh.is_needs_stale && !refresh.loads_needs {
            (refresh.is_needs_stale, refresh.loads_needs) = (false, true);
            effects.push(BoardEffect::LoadNeeds);
        }
        effects
    }
}

/// What an event changes on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EventScope {
    /// Its task, and perhaps the list of tasks that need a person.
    Task,
    /// The project, its workflow or the agents.
    Board,
    /// Nothing that is shown.
    Nothing,
}

fn event_scope(kind: EventType) -> EventScope {
    match kind {
        EventType::ProjectUpdated
        | EventType::ProjectPaused
        | EventType::ProjectResumed
        | EventType::AgentCreated
        | EventType::AgentUpdated
        | EventType::AgentPaused
        | EventType::AgentResumed => EventScope::Board,
        EventType::JournalRecorded
        | EventType::CommentCreated
        | EventType::ExecutionSteered
        | EventType::MessageSent
        | EventType::ProjectCreated
        | EventType::ProjectMemberAdded
        | EventType::ProjectMemberRemoved
        | EventType::RepoAdded
        | EventType::RepoUpdated
        | EventType::RepoConfigAccepted
        | EventType::RepoRemoved
        | EventType::DispatchPaused
        | EventType::DispatchResumed
        | EventType::ConflictDetected
        | EventType::ConflictCleared
        | EventType::TrainChanged => EventScope::Nothing,
        _ => EventScope::Task,
    }
}
