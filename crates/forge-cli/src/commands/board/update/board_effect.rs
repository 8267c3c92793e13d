//! The effects that the board asks for.

use std::path::PathBuf;

use forge_api::ActionView;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::commands::board::update::board_event::ActionWish;

/// What the driver must do. Every request answers with an event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BoardEffect {
    LoadBoard,
    LoadTasks(Vec<Uuid>),
    LoadNeeds,
    LoadBranches,
    LoadDetail(Uuid),
    LoadActions {
        task: Uuid,
        wish: ActionWish,
    },
    /// Finds out why an action is not possible; `intro` begins the answer.
    Explain {
        task: Uuid,
        intro: String,
    },
    /// Loads log events after a number, for one visit of the log; `pauses` waits a moment first, because the log grows.
    LoadLog {
        task: Uuid,
        visit: u64,
        execution: Option<Uuid>,
        after: u64,
        pauses: bool,
    },
    LoadDiff(Uuid),
    Perform {
        task: Uuid,
        action: Box<ActionView>,
        parameters: Map<String, Value>,
        words: String,
    },
    CreateTask {
        title: String,
    },
    FindWorktree(Uuid),
    OpenEditor(PathBuf),
    OpenPager(String),
    RingBell,
    SetTitle(String),
    /// Draws everything again, in case another program wrote to the terminal.
    Redraw,
    Suspend,
    Quit,
}
