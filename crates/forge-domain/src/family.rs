//! A task and those that take turns in its workspace (T-17), as each is seen by the other.

use crate::task::{Snapshot, TaskKey, Workspace, WorkspaceStatus};
use crate::workflow::{Kind, Standing, Workflow};
use crate::{Assignee, TaskId};

/// A turn, as its parent sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFacts {
    /// The task that takes it.
    pub task: TaskId,
    /// How people call it.
    pub key: String,
    /// Whether it is over for good.
    pub ended: bool,
    /// Whether somebody works on it.
    pub at_work: bool,
    /// Why it does not go on by itself.
    pub trouble: Option<String>,
}

impl TurnFacts {
    /// What there is to know of a turn.
    pub fn of(turn: &Snapshot) -> Self {
        let ended = matches!(turn.standing, Standing::Succeeded | Standing::Ended);
        let at_work = turn.is_at_work();
        let trouble = match &turn.annotation {
            _ if ended || at_work => None,
            Some(trouble) => Some(trouble.message.clone()),
            None if turn.claimable => None,
            None => Some(format!("it is in \"{}\"", turn.state)),
        };
        Self { task: turn.id, key: turn.key().to_string(), ended, at_work, trouble }
    }

    /// All of them in the order in which they are taken.
    pub fn in_order(mut turns: Vec<Snapshot>) -> Vec<Self> {
        turns.sort_by_key(place);
        turns.iter().map(Self::of).collect()
    }
}

fn place(turn: &Snapshot) -> (i64, i64) {
    (turn.turn().map_or(0, |turn| turn.order), turn.number)
}

/// The task in whose workspace a turn is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentFacts {
    /// How people call it.
    pub key: TaskKey,
    /// Whether it is still worked on: neither handed in nor over.
    pub open: bool,
    /// Whether it is where its own work is done, so that the next turn may begin by itself.
    pub working: bool,
    /// Who carries it.
    pub coder: Option<Assignee>,
    /// Whether it has a workspace now.
    pub has_workspace: bool,
    /// What is under way there already.
    pub busy: Option<&'static str>,
    /// The turns that come before this one and are not over.
    pub before: Vec<String>,
}

impl ParentFacts {
    /// What a turn needs to know of its parent, and of the parent's other turns.
    pub fn of(workflow: &Workflow, parent: &Snapshot, turns: &[Snapshot], turn: &Snapshot) -> Self {
        let (role, state) = (workflow.claim_role(), workflow.state(&parent.state));
        let ready = |at: &Workspace| at.status == WorkspaceStatus::Ready;
        // A person's own run is no hindrance: it was they who asked for the turn, or nobody did.
        let by_agent = parent.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        let another = turns.iter().any(|other| other.id != turn.id && other.is_at_work());
        let busy = match (by_agent || parent.activity.is_some(), &parent.postponed) {
            (true, _) => Some("its own run"),
            (false, Some(_)) => Some("a run that begins later by itself"),
            (false, None) => another.then_some("another turn"),
        };
        let comes_before = |other: &&Snapshot| {
            other.id != turn.id && place(other) < place(turn) && !TurnFacts::of(other).ended
        };
        let mut before: Vec<_> = turns.iter().filter(comes_before).collect();
        before.sort_by_key(|other| place(other));
        Self {
            key: parent.key(),
            open: parent.standing == Standing::Open,
            working: state.is_some_and(|state| state.kind() == Kind::Work),
            coder: role.and_then(|role| parent.roles.get(&role).copied()),
            has_workspace: parent.workspace.as_ref().is_some_and(ready),
            busy,
            before: before.into_iter().map(|other| other.key().to_string()).collect(),
        }
    }
}
