//! Facts that a parent and its ordered turns need about each other (T-17).

use crate::task::{TaskKey, TaskSnapshot, Workspace, WorkspaceStatus};
use crate::workflow::{TaskStanding, Workflow, WorkflowStateKind};
use crate::{Assignee, TaskId};

/// An ordered turn, as its parent sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFacts {
    /// The task of the turn.
    pub task: TaskId,
    /// Key of the task, such as `T-12`.
    pub key: String,
    /// Whether the turn has ended for good.
    pub has_ended: bool,
    /// Whether an execution or another activity is under way.
    pub is_executing: bool,
    /// Reason why it does not continue by itself.
    pub stop_reason: Option<String>,
}

impl TurnFacts {
    /// Derives the facts about a turn.
    pub fn of(turn: &TaskSnapshot) -> Self {
        let has_ended = matches!(turn.standing, TaskStanding::Succeeded | TaskStanding::Ended);
        let is_executing = turn.is_executing();
        let stop_reason = match &turn.annotation {
            _ if has_ended || is_executing => None,
            Some(trouble) => Some(trouble.message.clone()),
            None if turn.answer_turn.is_some() => {
                Some("it waits for the answer to its question".to_owned())
            }
            None if turn.claimable => None,
            None => Some(format!("it is in \"{}\"", turn.state)),
        };
        Self { task: turn.id, key: turn.key().to_string(), has_ended, is_executing, stop_reason }
    }

    /// Derives the facts about all turns, in their order.
    pub fn in_order(mut turns: Vec<TaskSnapshot>) -> Vec<Self> {
        turns.sort_by_key(turn_position);
        turns.iter().map(Self::of).collect()
    }
}

fn turn_position(turn: &TaskSnapshot) -> (i64, i64) {
    (turn.turn().map_or(0, |turn| turn.order), turn.number)
}

/// The parent of an ordered turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentFacts {
    /// Key of the task, such as `T-12`.
    pub key: TaskKey,
    /// Whether it is open: neither submitted nor ended.
    pub is_open: bool,
    /// Whether it is in a work state, so that the next turn may start by itself.
    pub is_working: bool,
    /// Holder of the claim role.
    pub holder: Option<Assignee>,
    /// Whether it has a workspace now.
    pub has_workspace: bool,
    /// The current user of the workspace, if it is busy.
    pub workspace_user: Option<&'static str>,
    /// Open turns that come before this one.
    pub earlier_turns: Vec<String>,
}

impl ParentFacts {
    /// Derives the facts about a parent and its other turns.
    pub fn of(
        workflow: &Workflow,
        parent: &TaskSnapshot,
        turns: &[TaskSnapshot],
        turn: &TaskSnapshot,
    ) -> Self {
        let (role, state) = (workflow.claim_role(), workflow.state(&parent.state));
        let ready = |at: &Workspace| at.status == WorkspaceStatus::Ready;
        // A person's own execution does not block the turn, because that person asked for it.
        let by_agent = parent.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        let another = turns.iter().any(|other| other.id != turn.id && other.is_executing());
        let workspace_user = match (by_agent || parent.activity.is_some(), &parent.postponed) {
            (true, _) => Some("its own run"),
            (false, Some(_)) => Some("a run that begins later by itself"),
            (false, None) => another.then_some("another turn"),
        };
        let comes_before = |other: &&TaskSnapshot| {
            other.id != turn.id
                && turn_position(other) < turn_position(turn)
                && !TurnFacts::of(other).has_ended
        };
        let mut before: Vec<_> = turns.iter().filter(comes_before).collect();
        before.sort_by_key(|other| turn_position(other));
        Self {
            key: parent.key(),
            is_open: parent.standing == TaskStanding::Open,
            is_working: state.is_some_and(|state| state.kind() == WorkflowStateKind::Work),
            holder: role.and_then(|role| parent.roles.get(&role).copied()),
            has_workspace: parent.workspace.as_ref().is_some_and(ready),
            workspace_user,
            earlier_turns: before.into_iter().map(|other| other.key().to_string()).collect(),
        }
    }
}
