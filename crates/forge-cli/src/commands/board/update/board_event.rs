//! The events that change the board.

use std::collections::HashMap;
use std::path::PathBuf;

use forge_api::{
    ActionView, Agent, EventView, LogEvent, NeedsPerson, Project, Task, TaskPhase, WorkflowView,
};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::commands::board::keys::KeyChord;
use crate::commands::board::state::TaskDetail;

/// What the user wants to do with the actions of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActionWish {
    /// Claim it for an agent or the user.
    Start,
    /// Move it to another state.
    Move,
    /// Stop its execution.
    Stop,
    /// Send its agent a message.
    Steer,
    /// Choose from all.
    Choose,
}

/// Everything that the board loads at its start.
#[derive(Debug, Clone)]
pub(crate) struct LoadedBoard {
    pub(crate) project: Project,
    pub(crate) workflow: WorkflowView,
    pub(crate) agents: Vec<Agent>,
    pub(crate) me: Option<Uuid>,
    pub(crate) tasks: Vec<Task>,
    /// Phases with more tasks than were loaded.
    pub(crate) truncated: Vec<TaskPhase>,
    pub(crate) needs: Vec<NeedsPerson>,
}

/// Some tasks, after events that concerned them.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadedTasks {
    pub(crate) tasks: Vec<Task>,
    /// Tasks that are not there any more, or not for this user.
    pub(crate) gone: Vec<Uuid>,
    /// Tasks that could not be loaded, and why.
    pub(crate) failed: Vec<Uuid>,
    pub(crate) problem: Option<String>,
}

/// A part of an execution's log.
#[derive(Debug, Clone)]
pub(crate) struct LoadedLog {
    /// The execution; `None` if the task has none yet.
    pub(crate) execution: Option<Uuid>,
    pub(crate) events: Vec<LogEvent>,
    pub(crate) next: u64,
    pub(crate) has_ended: bool,
}

/// An input of the board: a key, an answer of the server, or a timer.
#[derive(Debug, Clone)]
pub(crate) enum BoardEvent {
    KeyPressed(KeyChord),
    Pasted(String),
    Resized(u16, u16),
    /// The time, once in a while, because ages are shown.
    TimePassed(Timestamp),
    Connected,
    ConnectionLost,
    ConnectionRefused(String),
    ServerEvent(Box<EventView>),
    BoardLoaded(Result<Box<LoadedBoard>, String>),
    TasksLoaded(LoadedTasks),
    NeedsLoaded(Result<Vec<NeedsPerson>, String>),
    BranchesLoaded(HashMap<Uuid, String>),
    DetailLoaded {
        task: Uuid,
        detail: Box<TaskDetail>,
    },
    ActionsLoaded {
        task: Uuid,
        wish: ActionWish,
        actions: Result<Vec<ActionView>, String>,
        /// The agents that exist now; empty if they could not be loaded.
        agents: Vec<Agent>,
    },
    /// Why an action is not possible now.
    Explained(String),
    LogLoaded {
        visit: u64,
        log: Result<LoadedLog, String>,
    },
    DiffLoaded {
        task: Uuid,
        patch: Result<String, String>,
    },
    Performed {
        task: Uuid,
        words: String,
        answer: Result<Value, String>,
    },
    TaskCreated(Result<Box<Task>, String>),
    WorktreeFound(Result<PathBuf, String>),
    ProgramEnded(Result<(), String>),
}
