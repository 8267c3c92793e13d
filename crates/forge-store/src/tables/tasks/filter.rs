//! Which tasks a list shows, and in which order (T-2).

use forge_domain::task::TaskKind;
use forge_domain::workflow::{Phase, StateName};
use forge_domain::{AgentId, ProjectId, TaskId};

use crate::tables::page::{Key, Order};

/// Which tasks a list shows. What is absent does not restrict it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFilter {
    /// Of this board.
    pub project_id: ProjectId,
    /// In this state.
    pub status: Option<StateName>,
    /// In this board column.
    pub phase: Option<Phase>,
    /// With this label.
    pub label: Option<String>,
    /// Run by this agent, or waiting for it.
    pub agent: Option<AgentId>,
    /// Of this kind.
    pub kind: Option<TaskKind>,
    /// With words that begin like all of these.
    pub text: Option<String>,
    /// Part of this task.
    pub parent: Option<TaskId>,
    /// Archived ones as well.
    pub include_archived: bool,
    /// By what.
    pub sort: TaskSort,
    /// Newest, latest or most important first.
    pub descending: bool,
}

/// By what a list of tasks is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TaskSort {
    /// When they were made; in a project that is their number.
    #[default]
    Created,
    /// When they last changed.
    Updated,
    /// By priority. Descending is the highest first, and the oldest of those.
    Priority,
}

impl TaskFilter {
    /// Every task of a board that is not archived, the oldest first.
    pub fn new(project_id: ProjectId) -> Self {
        Self {
            project_id,
            status: None,
            phase: None,
            label: None,
            agent: None,
            kind: None,
            text: None,
            parent: None,
            include_archived: false,
            sort: TaskSort::default(),
            descending: false,
        }
    }

    /// The order, which reads the cursors of such a list.
    pub fn order(&self) -> Order {
        let sort = match (self.sort, self.descending) {
            (TaskSort::Created, false) => "created",
            (TaskSort::Created, true) => "-created",
            (TaskSort::Updated, false) => "updated",
            (TaskSort::Updated, true) => "-updated",
            (TaskSort::Priority, false) => "priority",
            (TaskSort::Priority, true) => "-priority",
        };
        match self.sort {
            TaskSort::Created => Order::new(sort, &[Key::Int]),
            TaskSort::Updated | TaskSort::Priority => Order::new(sort, &[Key::Int, Key::Int]),
        }
    }
}
