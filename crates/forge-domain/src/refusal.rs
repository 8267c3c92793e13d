//! Why a command was not carried out. Each has a stable code; nothing has changed when one is returned.

use crate::Overspent;
use crate::task::TaskKey;
use crate::workflow::{HeldState, MappingProblem, RoleName, StateName};

/// Why the scheduler may not claim what others may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDispatched {
    /// Nobody wants it any more.
    #[error("the project's dispatch was switched off or paused")]
    Off,
    /// Somebody else was given the role.
    #[error("the role is held by somebody else")]
    Held,
    /// A person has to look first.
    #[error("the task needs a person's attention")]
    NeedsAttention,
    /// The agent's allowance is used up.
    #[error("the agent waits for its quota")]
    QuotaWait,
    /// The project has as many executions as it may.
    #[error("the project has {running} of {max} executions")]
    ProjectAtCapacity {
        /// Under way.
        running: u32,
        /// Allowed.
        max: u32,
    },
}

/// A typed "no".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The caller decided on an old state of affairs.
    #[error(
        "the {noun} has changed since you read it (you saw version {expected}, it is at {actual}); read it again and retry"
    )]
    VersionConflict {
        /// What has changed.
        noun: &'static str,
        /// What the caller saw.
        expected: i64,
        /// What it is.
        actual: i64,
    },
    /// No such edge.
    #[error(
        "a task cannot be moved from \"{from}\" to \"{to}\"; from here it can go to: {}",
        list(allowed)
    )]
    InvalidTransition {
        /// Where it is.
        from: StateName,
        /// Where it should go.
        to: StateName,
        /// Where it can go.
        allowed: Vec<StateName>,
    },
    /// The gate has not let it pass.
    #[error(
        "\"{gate}\" has not passed yet; wait for its checks, or move the task back and hand it in again"
    )]
    ReviewNotPassed {
        /// The gate.
        gate: StateName,
    },
    /// Claims do not look here.
    #[error("a task in \"{state}\" cannot be claimed; it can be claimed from: {}", list(claimable))]
    NotClaimable {
        /// Where it is.
        state: StateName,
        /// Where claims look.
        claimable: Vec<StateName>,
    },
    /// It was put away.
    #[error("the task is archived; unarchive it to claim it")]
    Archived,
    /// Somebody has it.
    #[error("the task is already claimed; wait for it to come back to the queue, or reassign it")]
    AlreadyClaimed,
    /// The agent takes no work.
    #[error("the agent is paused; resume it or choose another")]
    AgentPaused,
    /// The project's agents take no work.
    #[error(
        "the project is paused, so agents cannot claim; resume the project, or claim the task yourself"
    )]
    ProjectPaused,
    /// The agent has its hands full.
    #[error(
        "the agent already has {running} of {max} executions; wait for one to end or raise max_concurrent"
    )]
    AgentAtCapacity {
        /// Under way.
        running: u32,
        /// Allowed.
        max: u32,
    },
    /// Nobody pays for it.
    #[error(transparent)]
    BudgetExhausted(Overspent),
    /// The scheduler has to leave it.
    #[error("the task is not to be given out now: {0}")]
    NotDispatched(NotDispatched),
    /// Something must end first.
    #[error("the task waits for {}; only who handed those in may claim it before they are in", blocking.join(", "))]
    DependencyGate {
        /// What it waits for.
        blocking: Vec<String>,
    },
    /// The new edge would close a circle.
    #[error("that dependency would close a circle: {}", cycle.join(" → "))]
    DependencyCycle {
        /// The circle.
        cycle: Vec<String>,
    },
    /// The other task cannot be waited for.
    #[error("{0}")]
    DependencyScope(&'static str),
    /// The workflow knows no such role.
    #[error("the workflow has no role \"{role}\"; its roles are: {}", roles.join(", "))]
    UnknownRole {
        /// What was asked for.
        role: RoleName,
        /// What there is.
        roles: Vec<String>,
    },
    /// Only people may do this.
    #[error("only a person may {0}")]
    PeopleOnly(&'static str),
    /// A verdict from somebody who was not asked for one.
    #[error("{0}")]
    NotYourVerdict(&'static str),
    /// There is no such attempt to decide about any more.
    #[error("attempt {attempt} of {key} cannot be decided about: {problem}")]
    ReviewOver {
        /// Whose.
        key: TaskKey,
        /// Which.
        attempt: u32,
        /// Why, and what to do.
        problem: String,
    },
    /// The task is over.
    #[error("{key} has ended; nothing can be changed about it any more")]
    TaskTerminal {
        /// Which.
        key: TaskKey,
    },
    /// The landing is under way.
    #[error("{key} is being landed right now; wait for the result, or cancel it")]
    Landing {
        /// Which.
        key: TaskKey,
    },
    /// The run is history.
    #[error(
        "that run of {key} is over, or the task has moved on since; `forge task show` says what is under way now"
    )]
    ExecutionOver {
        /// Whose.
        key: TaskKey,
    },
    /// There is no way back to where the run worked.
    #[error("{key} cannot be begun anew: {problem}")]
    NotRestartable {
        /// Which.
        key: TaskKey,
        /// What stands in the way.
        problem: String,
    },
    /// The branch has all of its target.
    #[error("the branch of {key} already has all of {target}; there is nothing to merge in")]
    UpToDate {
        /// Which.
        key: TaskKey,
        /// Its target.
        target: String,
    },
    /// There is no way back to work.
    #[error("{key} cannot be rebased: {problem}")]
    NotRebasable {
        /// Which.
        key: TaskKey,
        /// What stands in the way, and what to do.
        problem: String,
    },
    /// It landed nothing that could be taken back or have broken anything.
    #[error(
        "{key} has landed nothing, so there is nothing to {what}; `forge task show {key}` says where it stands"
    )]
    NotLanded {
        /// Which.
        key: TaskKey,
        /// What was asked for.
        what: &'static str,
    },
    /// What it landed is not in its target any more.
    #[error("nothing that {key} landed is in {target} any more; there is nothing to revert")]
    NothingToRevert {
        /// Which.
        key: TaskKey,
        /// Its target.
        target: String,
    },
    /// The workflow lands nothing.
    #[error(
        "the project's workflow has neither a gate nor a merge state, so a revert could not land; change it, or revert by hand"
    )]
    NoWayToLand,
    /// Nobody has begun.
    #[error("nobody holds {key} and there is no work on it, so there is nothing to hand off")]
    NothingToHandOff {
        /// Which.
        key: TaskKey,
    },
    /// Somebody works in the workspace.
    #[error("{holder} works in the workspace of {key}; wait for its end, or stop it")]
    WorkspaceLocked {
        /// Whose workspace.
        key: TaskKey,
        /// Who works there.
        holder: String,
    },
    /// A turn needs what its parent does not have (T-17).
    #[error("{key} is taken in the workspace of {parent}, and {problem}")]
    ParentWorkspaceRequired {
        /// The turn, if it is there already.
        key: String,
        /// Its parent.
        parent: TaskKey,
        /// What is missing, and what to do.
        problem: &'static str,
    },
    /// Turns come first (T-17).
    #[error("{} must end before {key} can go on; finish or cancel them", open.join(", "))]
    TurnsOpen {
        /// What waits.
        key: TaskKey,
        /// What comes first.
        open: Vec<String>,
    },
    /// Nothing to work in.
    #[error(
        "the project has no repository; add one first (forge init, or POST /projects/{{id}}/repos)"
    )]
    NoRepository,
    /// Nothing to check or land.
    #[error("{key} has no workspace yet, so there is nothing to check or land; claim it first")]
    WorkspaceMissing {
        /// Which.
        key: TaskKey,
    },
    /// A value is out of range.
    #[error("{field}: {problem}")]
    InvalidField {
        /// Which.
        field: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// A mapping of states does not fit its two workflows.
    #[error("mapping: {}", join(problems, "; "))]
    InvalidMapping {
        /// Everything that is wrong with it.
        problems: Vec<MappingProblem>,
    },
    /// States that a new workflow has no place for still hold tasks.
    #[error(
        "the new workflow has no place for the tasks in {}; say in a mapping which state of the same kind takes each",
        join(states, ", ")
    )]
    WorkflowInUse {
        /// All such states.
        states: Vec<HeldState>,
    },
    /// The task is in a state that its workflow does not have: the database was changed by other hands.
    #[error(
        "the task is in \"{state}\", which its workflow does not have; restore the database from a backup"
    )]
    UnknownState {
        /// The state.
        state: StateName,
    },
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
