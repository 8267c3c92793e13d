//! Refusals of commands. Each has a stable code; a refused command has changed nothing.

use crate::ExhaustedBudget;
use crate::task::TaskKey;
use crate::workflow::{MappingProblem, OccupiedState, RoleName, StateName};

/// Why the scheduler may not claim a task that other actors may claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DispatchRefusal {
    /// Dispatch is off or paused.
    #[error("the project's dispatch was switched off or paused")]
    Off,
    /// Another assignee holds the role.
    #[error("another assignee holds the role")]
    RoleHeld,
    /// A person must look at the task first.
    #[error("the task needs a person's attention")]
    NeedsAttention,
    /// The agent's quota is used up, or it is not signed in.
    #[error("the agent waits for its quota or for a login")]
    QuotaWait,
    /// The project has reached its limit of executions.
    #[error("the project has {running} of {max} executions")]
    ProjectAtCapacity { running: u32, max: u32 },
}

/// The reason why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The record has changed since the caller read it.
    #[error(
        "the {noun} has changed since you read it (you saw version {expected}, it is at {actual}); read it again and retry"
    )]
    VersionConflict {
        /// Kind of the changed record.
        noun: &'static str,
        /// The version that the caller read.
        expected: i64,
        /// The current version.
        actual: i64,
    },
    /// The workflow has no such edge.
    #[error(
        "a task cannot be moved from \"{from}\" to \"{to}\"; from here it can go to: {}",
        list(allowed)
    )]
    InvalidTransition {
        /// The current state.
        from: StateName,
        /// The requested state.
        to: StateName,
        /// The possible states.
        allowed: Vec<StateName>,
    },
    /// The gate has not passed the work.
    #[error(
        "\"{gate}\" has not passed yet; wait for its checks, or move the task back and hand it in again"
    )]
    ReviewNotPassed { gate: StateName },
    /// The task is not in a claimable state.
    #[error("a task in \"{state}\" cannot be claimed; it can be claimed from: {}", list(claimable))]
    NotClaimable {
        /// The current state.
        state: StateName,
        /// The claimable states.
        claimable: Vec<StateName>,
    },
    /// The task is archived.
    #[error("the task is archived; unarchive it to claim it")]
    Archived,
    /// The task is already claimed.
    #[error("the task is already claimed; wait for it to come back to the queue, or reassign it")]
    AlreadyClaimed,
    /// Its last execution is still being stopped.
    #[error("the task's last execution is still being ended; claim it again when that is over")]
    ExecutionEnding,
    /// The agent is paused.
    #[error("the agent is paused; resume it or choose another")]
    AgentPaused,
    /// The project is paused for agents.
    #[error(
        "the project is paused, so agents cannot claim; resume the project, or claim the task yourself"
    )]
    ProjectPaused,
    /// The agent has reached its limit of executions.
    #[error(
        "the agent already has {running} of {max} executions; wait for one to end or raise max_concurrent"
    )]
    AgentAtCapacity { running: u32, max: u32 },
    /// A budget is used up.
    #[error(transparent)]
    BudgetExhausted(ExhaustedBudget),
    /// The scheduler may not claim the task.
    #[error("the scheduler cannot assign the task now: {0}")]
    NotDispatched(DispatchRefusal),
    /// A dependency has not landed.
    #[error("the task waits for {}; until they land, only the assignee that submitted them can claim it", blocking.join(", "))]
    DependencyGate {
        /// Keys of the open dependencies.
        blocking: Vec<String>,
    },
    /// The new dependency would close a cycle.
    #[error("that dependency would close a cycle: {}", cycle.join(" → "))]
    DependencyCycle {
        /// Keys of the tasks in the cycle.
        cycle: Vec<String>,
    },
    /// The other task cannot be a dependency.
    #[error("{0}")]
    DependencyScope(&'static str),
    /// The workflow has no such role.
    #[error("the workflow has no role \"{role}\"; its roles are: {}", roles.join(", "))]
    UnknownRole {
        /// The requested role.
        role: RoleName,
        /// The roles of the workflow.
        roles: Vec<String>,
    },
    /// Only a person may do this.
    #[error("only a person may {0}")]
    PeopleOnly(&'static str),
    /// The caller was not asked for a verdict.
    #[error("{0}")]
    VerdictNotRequested(&'static str),
    /// The attempt can no longer be decided about.
    #[error("attempt {attempt} of {key} cannot be approved or rejected: {problem}")]
    AttemptClosed {
        key: TaskKey,
        attempt: u32,
        /// The reason, and what to do.
        problem: String,
    },
    /// The task has ended.
    #[error("{key} has ended; nothing can be changed about it any more")]
    TaskTerminal { key: TaskKey },
    /// The task is not in a state of work.
    #[error(
        "{key} is in \"{state}\", where no work is done, so there is nothing to complete; `forge why {key}` says what it waits for"
    )]
    NotInWork {
        key: TaskKey,
        /// The current state.
        state: StateName,
    },
    /// Work was done on the task, or other tasks need it (P-1).
    #[error(
        "{key} cannot be deleted: {problem}; cancel it (`forge task cancel {key}`), then archive it (`forge task archive {key}`)"
    )]
    NotDeletable {
        key: TaskKey,
        /// What would be lost.
        problem: String,
    },
    /// The task is being landed.
    #[error("{key} is being landed right now; wait for the result, or cancel it")]
    Landing { key: TaskKey },
    /// The execution has ended.
    #[error(
        "that run of {key} is over, or the task has moved on since; `forge task show` shows what is under way now"
    )]
    ExecutionEnded { key: TaskKey },
    /// The question is not open.
    #[error(
        "question {number} of {key} is not open; `forge task questions {key}` lists the questions and their answers"
    )]
    QuestionClosed { key: TaskKey, number: u32 },
    /// Only the asking execution fetches an answer for itself.
    #[error(
        "only the execution that asked question {number} of {key} may say that it has the answer; others read it"
    )]
    NotTheAsker { key: TaskKey, number: u32 },
    /// The agent hands in work about which it still asks.
    #[error(
        "question {number} of {key} is not answered yet; end your turn, and you get the answer as your next one"
    )]
    QuestionOpen { key: TaskKey, number: u32 },
    /// There is no path back to the state in which the execution ran.
    #[error("{key} cannot be restarted: {problem}")]
    NotRestartable {
        key: TaskKey,
        /// The reason why not.
        problem: String,
    },
    /// The branch already contains its target.
    #[error("the branch of {key} already has all of {target}; there is nothing to merge in")]
    UpToDate { key: TaskKey, target: String },
    /// There is no path back to work.
    #[error("{key} cannot be rebased: {problem}")]
    NotRebasable {
        key: TaskKey,
        /// The reason, and what to do.
        problem: String,
    },
    /// None of its work is on the target without a recorded landing.
    #[error(
        "{key} is not annotated `landed_outside`, so there is nothing to accept; `forge task show {key}` says where it stands"
    )]
    NotLandedOutside { key: TaskKey },
    /// The task has no landing to revert or to report.
    #[error(
        "{key} has landed nothing, so there is nothing to {what}; `forge task show {key}` says where it stands"
    )]
    NotLanded {
        key: TaskKey,
        /// The requested action.
        what: &'static str,
    },
    /// Its landed changes are no longer in the target.
    #[error("nothing that {key} landed is in {target} any more; there is nothing to revert")]
    NothingToRevert { key: TaskKey, target: String },
    /// The workflow has no merge state.
    #[error(
        "the project's workflow has neither a gate nor a merge state, so a revert could not land; change it, or revert by hand"
    )]
    NoLandingState,
    /// The task has neither a holder nor a workspace.
    #[error("{key} has no holder and no work, so there is nothing to hand off")]
    NothingToHandOff { key: TaskKey },
    /// Another execution or activity uses the workspace.
    #[error("{holder} works in the workspace of {key}; wait for its end, or stop it")]
    WorkspaceLocked {
        key: TaskKey,
        /// Description of the user of the workspace.
        holder: String,
    },
    /// The parent lacks something that the turn needs (T-17).
    #[error("{key} runs in the workspace of {parent}, and {problem}")]
    ParentWorkspaceRequired {
        /// Key of the turn, or a description before it exists.
        key: String,
        parent: TaskKey,
        /// The missing condition, and what to do.
        problem: &'static str,
    },
    /// Open ordered turns come first (T-17).
    #[error("{} must end before {key} can go on; finish or cancel them", open.join(", "))]
    TurnsOpen {
        /// The waiting task.
        key: TaskKey,
        /// Keys of the open turns.
        open: Vec<String>,
    },
    /// The project has no repository.
    #[error("the project has no repository; add one first (`forge init` or `forge repo add`)")]
    NoRepository,
    /// There is nothing to check or land.
    #[error("{key} has no workspace yet, so there is nothing to check or land; claim it first")]
    WorkspaceMissing { key: TaskKey },
    /// A value is out of range.
    #[error("{field}: {problem}")]
    InvalidField {
        field: &'static str,
        /// What is wrong, and a correct value.
        problem: String,
    },
    /// A state mapping does not fit its two workflows.
    #[error("mapping: {}", join(problems, "; "))]
    InvalidMapping {
        /// All problems of the mapping.
        problems: Vec<MappingProblem>,
    },
    /// States without a successor in the new workflow still contain tasks.
    #[error(
        "the new workflow has no place for the tasks in {}; say in a mapping which state of the same kind takes each",
        join(states, ", ")
    )]
    WorkflowInUse {
        /// All such states.
        states: Vec<OccupiedState>,
    },
    /// The task is in a state that its workflow does not have, because the database was changed from outside.
    #[error(
        "the task is in \"{state}\", which its workflow does not have; restore the database from a backup"
    )]
    UnknownState { state: StateName },
}

fn join(items: &[impl ToString], between: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

fn list(names: &[StateName]) -> String {
    if names.is_empty() {
        return "nowhere".to_owned();
    }
    join(names, ", ")
}
