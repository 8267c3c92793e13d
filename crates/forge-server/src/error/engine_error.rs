//! Engine errors as API errors: the code, the engine's message, and the data of the code.

use forge_api::{ErrorCode, WorkflowProblem};
use forge_domain::Refusal;
use forge_domain::workflow::{InvalidWorkflowError, MappingProblem, OccupiedState};
use forge_engine::{AccountError, EngineError};
use forge_store::StoreError;
use serde_json::json;

use crate::error::api_error::ApiError;

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let message = error.to_string();
        let fail = |code, details| Self::new(code, message.as_str()).with_details(details);
        match error {
            EngineError::Refused(refusal) => refusal.into(),
            EngineError::NotFound { noun, id } => {
                fail(ErrorCode::NotFound, json!({ "kind": noun, "id": id }))
            }
            EngineError::Duplicate { noun, field, value } => {
                fail(ErrorCode::Duplicate, json!({ "kind": noun, "field": field, "value": value }))
            }
            EngineError::InvalidWorkflow(invalid) => invalid.into(),
            EngineError::RepoUnusable(reason) => {
                fail(ErrorCode::RepoUnusable, json!({ "reason": reason }))
            }
            EngineError::RepoInUse { name, tasks, more } => {
                let tasks: Vec<String> = tasks.iter().map(ToString::to_string).collect();
                let details = json!({ "name": name, "tasks": tasks, "more": more });
                fail(ErrorCode::RepoInUse, details)
            }
            EngineError::AgentInUse { name, executions, more } => {
                let named: Vec<_> = executions
                    .iter()
                    .map(|one| json!({ "id": one.id, "task": one.task.to_string(), "project": one.project }))
                    .collect();
                let details = json!({ "name": name, "executions": named, "more": more });
                fail(ErrorCode::AgentInUse, details)
            }
            EngineError::ProjectInUse { name, tasks, more } => {
                let tasks: Vec<String> = tasks.iter().map(ToString::to_string).collect();
                let details = json!({ "name": name, "tasks": tasks, "more": more });
                fail(ErrorCode::ProjectInUse, details)
            }
            EngineError::DefaultBranchUnclear { candidates } => {
                fail(ErrorCode::DefaultBranchUnclear, json!({ "candidates": candidates }))
            }
            EngineError::PathNotAllowed { reason, .. } => {
                fail(ErrorCode::PathNotAllowed, json!({ "reason": reason }))
            }
            EngineError::AddressNotAllowed { host } => {
                fail(ErrorCode::AddressNotAllowed, json!({ "host": host }))
            }
            EngineError::Webhook(cause) => internal_error(&cause),
            EngineError::InvalidField { field, .. } => invalid_field(field, message),
            EngineError::InvalidSettings(invalid) => {
                let first = invalid.problems().first().map(|problem| &problem.path);
                let details = json!({ "path": first, "problems": invalid.problems() });
                fail(ErrorCode::InvalidField, details)
            }
            EngineError::ProgramMissing { program } => {
                fail(ErrorCode::ProgramMissing, json!({ "program": program }))
            }
            EngineError::OverrideUnsupported { field, supported, .. } => fail(
                ErrorCode::OverrideUnsupported,
                json!({ "path": format!("overrides.{field}"), "supported": supported }),
            ),
            EngineError::StaleLease => fail(ErrorCode::StaleLease, json!(null)),
            EngineError::Workspace(found) => {
                fail(ErrorCode::WorkspaceCorrupted, json!({ "found": found }))
            }
            EngineError::PullRequestUnavailable { repo } => {
                fail(ErrorCode::PullRequestUnavailable, json!({ "repo": repo }))
            }
            EngineError::NotAGitWorkspace => fail(ErrorCode::NotAGitWorkspace, json!(null)),
            EngineError::WorkspaceLocked { holder, .. } => {
                fail(ErrorCode::WorkspaceLocked, json!({ "holder": holder }))
            }
            EngineError::Corrupt(cause) => internal_error(&cause),
            EngineError::Store(error) => error.into(),
            EngineError::Planned(fault) => internal_error(&fault.to_string()),
        }
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let message = error.to_string();
        match error {
            AccountError::NameInUse { name } => Self::new(ErrorCode::Duplicate, message)
                .with_details(json!({ "kind": "user", "field": "name", "value": name })),
            AccountError::PasswordChanged => Self::new(ErrorCode::Forbidden, message),
            AccountError::OwnAccount | AccountError::LinkOfAnotherUser | AccountError::NoAdmin => {
                Self::new(ErrorCode::Forbidden, message)
            }
            AccountError::UserMissing { id } => Self::new(ErrorCode::NotFound, message)
                .with_details(json!({ "kind": "user", "id": id })),
            AccountError::LinkUnusable => Self::from_code(ErrorCode::LinkUsed),
            AccountError::Randomness(error) => internal_error(&error.to_string()),
            AccountError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        let fail = |code, details| Self::new(code, message.as_str()).with_details(details);
        match refusal {
            Refusal::VersionConflict { expected, actual, .. } => {
                fail(ErrorCode::VersionConflict, json!({ "expected": expected, "actual": actual }))
            }
            Refusal::InvalidTransition { from, to, allowed } => fail(
                ErrorCode::InvalidTransition,
                json!({ "from": from, "to": to, "allowed": allowed }),
            ),
            Refusal::ReviewNotPassed { gate } => {
                fail(ErrorCode::ReviewNotPassed, json!({ "gate": gate }))
            }
            Refusal::NotClaimable { state, claimable } => fail(
                ErrorCode::NotClaimable,
                json!({ "state": state, "claimable_states": claimable }),
            ),
            Refusal::Archived => fail(ErrorCode::NotClaimable, json!({ "archived": true })),
            Refusal::AlreadyClaimed | Refusal::ExecutionEnding => {
                fail(ErrorCode::AlreadyClaimed, json!(null))
            }
            Refusal::AgentPaused => fail(ErrorCode::AgentPaused, json!(null)),
            Refusal::ProjectPaused => fail(ErrorCode::ProjectPaused, json!(null)),
            Refusal::AgentAtCapacity { running, max } => fail(
                ErrorCode::AgentAtCapacity,
                json!({ "running": running, "max_concurrent": max }),
            ),
            Refusal::BudgetExhausted(overspent) => {
                fail(ErrorCode::BudgetExhausted, json!(overspent))
            }
            Refusal::NotDispatched(_) => fail(ErrorCode::NotClaimable, json!(null)),
            Refusal::DependencyGate { blocking } => {
                fail(ErrorCode::DependencyGate, json!({ "unfinished": blocking }))
            }
            Refusal::DependencyCycle { cycle } => {
                fail(ErrorCode::DependencyCycle, json!({ "cycle": cycle }))
            }
            Refusal::DependencyScope(_) => fail(ErrorCode::DependencyScope, json!(null)),
            Refusal::UnknownRole { role, roles } => {
                fail(ErrorCode::UnknownRole, json!({ "role": role, "allowed": roles }))
            }
            Refusal::PeopleOnly(_) | Refusal::VerdictNotRequested(_) => {
                fail(ErrorCode::Forbidden, json!(null))
            }
            Refusal::AttemptClosed { key, attempt, .. } => {
                fail(ErrorCode::ReviewOver, json!({ "key": key.to_string(), "attempt": attempt }))
            }
            Refusal::TaskTerminal { key } => {
                fail(ErrorCode::TaskTerminal, json!({ "key": key.to_string() }))
            }
            Refusal::NotInWork { key, state } => {
                fail(ErrorCode::NotInWork, json!({ "key": key.to_string(), "state": state }))
            }
            Refusal::NotDeletable { key, .. } => {
                fail(ErrorCode::NotDeletable, json!({ "key": key.to_string() }))
            }
            Refusal::Landing { key } => fail(
                ErrorCode::WorkspaceLocked,
                json!({ "holder": "landing", "key": key.to_string() }),
            ),
            Refusal::ExecutionEnded { key } => {
                fail(ErrorCode::ExecutionOver, json!({ "key": key.to_string() }))
            }
            Refusal::QuestionClosed { key, number } => {
                fail(ErrorCode::QuestionClosed, json!({ "key": key.to_string(), "number": number }))
            }
            Refusal::QuestionOpen { key, number } => {
                fail(ErrorCode::QuestionOpen, json!({ "key": key.to_string(), "number": number }))
            }
            Refusal::NotTheAsker { .. } => fail(ErrorCode::Forbidden, json!(null)),
            Refusal::NotRestartable { key, .. } => {
                fail(ErrorCode::NotRestartable, json!({ "key": key.to_string() }))
            }
            Refusal::UpToDate { key, target } => {
                fail(ErrorCode::UpToDate, json!({ "key": key.to_string(), "target": target }))
            }
            Refusal::NotRebasable { key, .. } => {
                fail(ErrorCode::NotRebasable, json!({ "key": key.to_string() }))
            }
            Refusal::NotLandedOutside { key } => {
                fail(ErrorCode::NotLandedOutside, json!({ "key": key.to_string() }))
            }
            Refusal::NotLanded { key, .. } => {
                fail(ErrorCode::NotLanded, json!({ "key": key.to_string() }))
            }
            Refusal::NothingToRevert { key, target } => fail(
                ErrorCode::NothingToRevert,
                json!({ "key": key.to_string(), "target": target }),
            ),
            Refusal::NoLandingState => fail(ErrorCode::NoWayToLand, json!(null)),
            Refusal::NothingToHandOff { key } => {
                fail(ErrorCode::NothingToHandOff, json!({ "key": key.to_string() }))
            }
            Refusal::WorkspaceLocked { key, holder } => fail(
                ErrorCode::WorkspaceLocked,
                json!({ "holder": holder, "key": key.to_string() }),
            ),
            Refusal::ParentWorkspaceRequired { key, parent, .. } => fail(
                ErrorCode::ParentWorkspaceRequired,
                json!({ "key": key, "parent": parent.to_string() }),
            ),
            Refusal::TurnsOpen { key, open } => fail(
                ErrorCode::SubtaskSequenceNotComplete,
                json!({ "key": key.to_string(), "open": open }),
            ),
            Refusal::NoRepository => fail(ErrorCode::NoRepository, json!(null)),
            Refusal::WorkspaceMissing { key } => {
                fail(ErrorCode::WorkspaceMissing, json!({ "key": key.to_string() }))
            }
            Refusal::InvalidField { field, .. } => invalid_field(field, message),
            Refusal::InvalidMapping { problems } => {
                let problem = |found: &MappingProblem| json!({ "state": found.state, "message": found.message });
                let problems: Vec<_> = problems.iter().map(problem).collect();
                fail(ErrorCode::InvalidField, json!({ "path": "mapping", "problems": problems }))
            }
            Refusal::WorkflowInUse { states } => {
                let held =
                    |held: &OccupiedState| json!({ "state": held.state, "tasks": held.tasks });
                let states: Vec<_> = states.iter().map(held).collect();
                fail(ErrorCode::WorkflowInUse, json!({ "states": states }))
            }
            Refusal::UnknownState { .. } => internal_error(&message),
        }
    }
}

impl From<InvalidWorkflowError> for ApiError {
    fn from(invalid: InvalidWorkflowError) -> Self {
        let message = invalid.to_string();
        let problems: Vec<_> = invalid
            .problems
            .into_iter()
            .map(|problem| WorkflowProblem {
                place: problem.place,
                code: serialized_code(&problem.code),
                message: problem.message,
            })
            .collect();
        Self::new(ErrorCode::InvalidWorkflow, message).with_details(json!({ "problems": problems }))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable { .. } => {
                tracing::error!(%error, "database is not available");
                let message = "The database is not available now and nothing was changed. Try again once `/readyz` answers 200.";
                Self::new(ErrorCode::NotReady, message).retry_after(1)
            }
            StoreError::Full { .. } => {
                tracing::error!(%error, "disk of the database is full");
                Self::from_code(ErrorCode::StorageFull).retry_after(10)
            }
            StoreError::NoBackup => Self::from_code(ErrorCode::NoBackup),
            StoreError::Closed => Self::from_code(ErrorCode::ShuttingDown),
            StoreError::CommitUnknown { .. }
            | StoreError::Constraint { .. }
            | StoreError::Contention { .. }
            | StoreError::Aborted
            | StoreError::Panicked
            | StoreError::Corrupt { .. }
            | StoreError::NoRow
            | StoreError::Statement { .. }
            | StoreError::Migration(_) => internal_error(&error.to_string()),
        }
    }
}

/// Invalid names have their own code, because they are refused alike everywhere.
fn invalid_field(field: &str, message: String) -> ApiError {
    let code = if field == "name" { ErrorCode::InvalidName } else { ErrorCode::InvalidField };
    ApiError::new(code, message).with_details(json!({ "path": field }))
}

/// The answer to an internal error. The cause goes only to the log: it can name files, tables and rows.
pub(crate) fn internal_error(cause: &str) -> ApiError {
    tracing::error!(cause, "request failed with an internal error");
    ApiError::from_code(ErrorCode::Internal)
}

/// A code as serde writes it.
fn serialized_code(code: &impl serde::Serialize) -> String {
    match serde_json::to_value(code) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(_) | Err(_) => "unknown".to_owned(),
    }
}
