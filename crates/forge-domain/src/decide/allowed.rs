//! What can be done with a task now, by this actor (T-11).

use super::draft::Draft;
use crate::task::Snapshot;
use crate::workflow::{RoleName, StateName, Workflow};
use crate::{Actor, Command, CommandId, Envelope, ExecutionId, Facts};
use uuid::Uuid;

/// One thing that can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What.
    pub kind: ActionKind,
    /// How a button would say it.
    pub label: String,
}

/// The things that can be done with a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionKind {
    /// Take it.
    Claim,
    /// Move it along an edge.
    Move {
        /// Where to.
        to: StateName,
    },
    /// Call it off.
    Cancel,
    /// Give a role to somebody.
    Assign {
        /// Which.
        role: RoleName,
    },
    /// Let go of it, with a note for whoever takes it next.
    HandOff,
    /// Say something to its agent.
    Steer {
        /// Which run.
        execution: ExecutionId,
    },
    /// Stop its run.
    StopRun {
        /// Which.
        execution: ExecutionId,
    },
    /// Begin its last run anew.
    Restart {
        /// Which.
        execution: ExecutionId,
    },
    /// Take its last run for failed.
    MarkFailed {
        /// Which.
        execution: ExecutionId,
    },
    /// Let the last attempt at its gate pass.
    Approve {
        /// Its number.
        attempt: u32,
        /// Whether that needs a reason: the gate has not let it pass.
        overrides: bool,
    },
    /// Send the last attempt at its gate back.
    Reject {
        /// Its number.
        attempt: u32,
    },
    /// Merge the target into its branch and go back to work.
    Rebase,
    /// Take back what it landed, by another task.
    Revert,
    /// Say that what it landed broke something.
    Regress,
    /// Throw its workspace away and make a new one.
    ResetWorkspace,
    /// Change what it says.
    Edit,
    /// Say something.
    Comment,
    /// Make it wait for another.
    AddDependency,
    /// Hide it.
    Archive,
    /// Show it.
    Unarchive,
}

/// What `actor` can do with the task now. Guards that depend on others (a paused agent, a dependency) are checked when
/// the action is tried.
pub fn allowed(workflow: &Workflow, task: &Snapshot, actor: &Actor) -> Vec<Action> {
    let facts = Facts::default();
    let envelope = Envelope {
        id: CommandId::new(Uuid::nil()),
        at: task.updated_at,
        actor: actor.clone(),
        command: Command::Archive,
    };
    let Ok(draft) = Draft::new(workflow, task, &facts, &envelope) else {
        return Vec::new();
    };
    let Ok(state) = draft.state() else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    let mut add = |kind, label: String| actions.push(Action { kind, label });
    let put_away = task.archived_at.is_some();
    if draft.is_free() && !put_away && workflow.claim_path(state, actor.is_person()).is_some() {
        add(ActionKind::Claim, "Claim".to_owned());
    }
    for target in draft.move_targets(state) {
        if target != workflow.cancel() && draft.check_move(state, &target).is_ok() {
            let label = format!("Move to {}", target.name());
            add(ActionKind::Move { to: target.name().clone() }, label);
        }
    }
    if actor.is_person() && !state.is_terminal() {
        add(ActionKind::Cancel, "Cancel".to_owned());
        for role in workflow.roles() {
            let label = format!("Assign {role}");
            add(ActionKind::Assign { role: role.clone() }, label);
        }
        add(ActionKind::AddDependency, "Add dependency".to_owned());
    }
    if draft.check_handoff().is_ok() {
        add(ActionKind::HandOff, "Hand off".to_owned());
    }
    if let Some(execution) = task.last_run.as_ref().map(|run| run.execution) {
        if draft.check_steer(execution).is_ok() {
            add(ActionKind::Steer { execution }, "Steer the agent".to_owned());
        }
        if draft.check_stop(execution).is_ok() {
            add(ActionKind::StopRun { execution }, "Stop the run".to_owned());
        }
        if draft.may_restart(execution) {
            add(ActionKind::Restart { execution }, "Begin the run anew".to_owned());
        }
        if draft.check_mark_failed(execution).is_ok() {
            add(ActionKind::MarkFailed { execution }, "Take the run for failed".to_owned());
        }
    }
    let attempt = task.attempts;
    if let Ok((_, _, open)) = draft.check_approve(attempt) {
        let overrides = open.is_none() && task.review_passed_at.is_none();
        add(ActionKind::Approve { attempt, overrides }, "Approve".to_owned());
    }
    if draft.check_reject(attempt).is_ok() {
        add(ActionKind::Reject { attempt }, "Reject".to_owned());
    }
    if draft.check_rebase().is_ok() {
        add(ActionKind::Rebase, "Rebase".to_owned());
    }
    if actor.is_person() && draft.check_landed("revert").is_ok() {
        add(ActionKind::Revert, "Revert".to_owned());
        add(ActionKind::Regress, "Report a regression".to_owned());
    }
    if draft.check_reset().is_ok() {
        add(ActionKind::ResetWorkspace, "Reset workspace".to_owned());
    }
    add(ActionKind::Comment, "Comment".to_owned());
    if actor.is_person() {
        add(ActionKind::Edit, "Edit".to_owned());
        match task.archived_at {
            None => add(ActionKind::Archive, "Archive".to_owned()),
            Some(_) => add(ActionKind::Unarchive, "Unarchive".to_owned()),
        }
    }
    actions
}
