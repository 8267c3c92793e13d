//! Filter and sort order of a list of tasks (T-2).

use forge_domain::task::TaskKind;
use forge_domain::workflow::{BoardPhase, StateName};
use forge_domain::{AgentId, ProjectId, TaskId};

use crate::tables::page::{ListOrder, SortKey};

/// Filter of a list of tasks. Absent fields do not restrict it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFilter {
    /// Only this board.
    pub project_id: ProjectId,
    /// Only this state.
    pub status: Option<StateName>,
    /// Only this board column.
    pub phase: Option<BoardPhase>,
    /// Only this label.
    pub label: Option<String>,
    /// Only tasks with an execution of this agent, or assigned to it.
    pub agent: Option<AgentId>,
    /// Only this kind.
    pub kind: Option<TaskKind>,
    /// Only tasks with words that begin like all of these.
    pub text: Option<String>,
    /// Only subtasks of this task.
    pub parent: Option<TaskId>,
    /// Whether archived tasks are included.
    pub include_archived: bool,
    pub sort: TaskSortKey,
    /// Newest, latest or most important first.
    pub descending: bool,
}

/// Sort key of a list of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TaskSortKey {
    /// Creation time; within a project that is the task number.
    #[default]
    Created,
    /// Time of the last change.
    Updated,
    /// Priority. Descending is the highest first, and the oldest of those.
    Priority,
}

impl TaskFilter {
    /// All tasks of a board that are not archived, oldest first.
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
            sort: TaskSortKey::default(),
            descending: false,
        }
    }

    /// Whether the first sort column ascends. Urgency is the negated priority, so the highest priority first is its
    /// ascending order.
    pub(crate) fn is_ascending(&self) -> bool {
        self.descending == (self.sort == TaskSortKey::Priority)
    }

    /// The order of the list, which decodes its cursors.
    pub fn order(&self) -> ListOrder {
        let sort = match (self.sort, self.descending) {
            (TaskSortKey::Created, false) => "created",
            (TaskSortKey::Created, true) => "-created",
            (TaskSortKey::Updated, false) => "updated",
            (TaskSortKey::Updated, true) => "-updated",
            (TaskSortKey::Priority, false) => "priority",
            (TaskSortKey::Priority, true) => "-priority",
        };
        match self.sort {
            TaskSortKey::Created => ListOrder::new(sort, &[SortKey::Int]),
            TaskSortKey::Updated | TaskSortKey::Priority => {
                ListOrder::new(sort, &[SortKey::Int, SortKey::Int])
            }
        }
    }
}
