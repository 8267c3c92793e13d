//! The actions that an actor can take on a task now (T-11).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::TaskSnapshot;
use crate::workflow::{RoleName, StateName, Workflow};
use crate::{Actor, CommandEnvelope, CommandId, DecisionFacts, ExecutionId, TaskCommand};
use uuid::Uuid;

/// An action that is allowed now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskAction {
    pub kind: TaskActionKind,
    /// Label of the button.
    pub label: String,
}

/// Kinds of actions on a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskActionKind {
    /// Claim the task.
    Claim,
    /// Move the task to another state.
    Move { to: StateName },
    /// Cancel the task.
    Cancel,
    /// Assign a role.
    Assign { role: RoleName },
    /// Release the task with a note for the next holder.
    HandOff,
    /// Send its agent a message.
    Steer { execution: ExecutionId },
    /// Ask the person in charge.
    Ask,
    /// Answer a question.
    Answer {
        /// Number of the question.
        question: u32,
    },
    /// Stop its execution.
    StopRun { execution: ExecutionId },
    /// Start its last execution again.
    Restart { execution: ExecutionId },
    /// Mark its last execution as failed.
    MarkFailed { execution: ExecutionId },
    /// Pass the last attempt at the gate.
    Approve {
        /// Number of the attempt.
        attempt: u32,
        /// Whether a reason is required, because the gate has not passed the attempt.
        overrides: bool,
    },
    /// Send the last attempt at the gate back.
    Reject {
        /// Number of the attempt.
        attempt: u32,
    },
    /// Merge the target into its branch and send the task back to work.
    Rebase,
    /// Accept work that landed outside Forge as landed.
    AcceptLanded,
    /// Revert its landing by another task.
    Revert,
    /// Report that its landing broke something.
    Regress,
    /// Discard its workspace and create a new one.
    ResetWorkspace,
    /// Edit the task's fields.
    Edit,
    /// Comment on the task.
    Comment,
    /// Add a dependency on another task.
    AddDependency,
    /// Hide the task from default lists.
    Archive,
    /// Show an archived task again.
    Unarchive,
}

/// The actions that `actor` can take on the task now. Guards that depend on other records (a paused agent, a
/// dependency) are checked when the action is tried.
pub fn allowed_actions(workflow: &Workflow, task: &TaskSnapshot, actor: &Actor) -> Vec<TaskAction> {
    let facts = DecisionFacts::default();
    let envelope = CommandEnvelope {
        id: CommandId::new(Uuid::nil()),
        at: task.updated_at,
        actor: actor.clone(),
        command: TaskCommand::Archive,
    };
    let Ok(draft) = DecisionBuilder::new(workflow, task, &facts, &envelope) else {
        return Vec::new();
    };
    let Ok(state) = draft.state() else {
        return Vec::new();
    };
    let mut actions = Vec::new();
    let mut add = |kind, label: String| actions.push(TaskAction { kind, label });
    let put_away = task.archived_at.is_some();
    if draft.has_no_ending_execution()
        && !put_away
        && workflow.claim_path(state, actor.is_person()).is_some()
    {
        add(TaskActionKind::Claim, "Claim".to_owned());
    }
    for target in draft.move_targets(state) {
        if target != workflow.cancel() && draft.check_move(state, &target).is_ok() {
            let label = format!("Move to {}", target.name());
            add(TaskActionKind::Move { to: target.name().clone() }, label);
        }
    }
    if actor.is_person() && !state.is_terminal() {
        add(TaskActionKind::Cancel, "Cancel".to_owned());
        for role in workflow.roles() {
            let label = format!("Assign {role}");
            add(TaskActionKind::Assign { role: role.clone() }, label);
        }
        add(TaskActionKind::AddDependency, "Add dependency".to_owned());
    }
    if draft.check_handoff().is_ok() {
        add(TaskActionKind::HandOff, "Hand off".to_owned());
    }
    if actor.is_person() {
        for question in &task.questions {
            let label = format!("Answer question {}", question.number);
            add(TaskActionKind::Answer { question: question.number }, label);
        }
    }
    if matches!(actor, Actor::Agent { .. }) && draft.check_ask().is_ok() {
        add(TaskActionKind::Ask, "Ask a question".to_owned());
    }
    if let Some(execution) = task.last_run.as_ref().map(|run| run.execution) {
        if draft.check_steer(execution).is_ok() {
            add(TaskActionKind::Steer { execution }, "Steer the agent".to_owned());
        }
        if draft.check_stop(execution).is_ok() {
            add(TaskActionKind::StopRun { execution }, "Stop the execution".to_owned());
        }
        if draft.can_restart(execution) {
            add(TaskActionKind::Restart { execution }, "Restart the execution".to_owned());
        }
        if draft.check_mark_failed(execution).is_ok() {
            add(
                TaskActionKind::MarkFailed { execution },
                "Mark the execution as failed".to_owned(),
            );
        }
    }
    let attempt = task.attempts;
    if let Ok((_, _, open)) = draft.check_approve(attempt) {
        let overrides = open.is_none() && task.review_passed_at.is_none();
        add(TaskActionKind::Approve { attempt, overrides }, "Approve".to_owned());
    }
    if draft.check_reject(attempt).is_ok() {
        add(TaskActionKind::Reject { attempt }, "Reject".to_owned());
    }
    if draft.check_rebase().is_ok() {
        add(TaskActionKind::Rebase, "Rebase".to_owned());
    }
    if draft.check_accept_landed().is_ok() {
        add(TaskActionKind::AcceptLanded, "Accept as landed".to_owned());
    }
    if actor.is_person() && draft.check_landed("revert").is_ok() {
        add(TaskActionKind::Revert, "Revert".to_owned());
    }
    if actor.is_person() && draft.check_landed("mend").is_ok() {
        add(TaskActionKind::Regress, "Report a regression".to_owned());
    }
    if draft.check_reset().is_ok() {
        add(TaskActionKind::ResetWorkspace, "Reset workspace".to_owned());
    }
    add(TaskActionKind::Comment, "Comment".to_owned());
    if actor.is_person() {
        add(TaskActionKind::Edit, "Edit".to_owned());
        match task.archived_at {
            None => add(TaskActionKind::Archive, "Archive".to_owned()),
            Some(_) => add(TaskActionKind::Unarchive, "Unarchive".to_owned()),
        }
    }
    actions
}
