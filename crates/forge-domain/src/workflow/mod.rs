//! Workflows are data (F-1): a definition as written, the validation that reports all problems together, and the
//! compiled graph from which all behaviour is derived.

mod builtin;
mod compiled;
mod definition;
mod drawing;
mod migration;
mod name;
mod problem;
mod state_fields;
mod validation;

pub use crate::workflow::builtin::{DEFAULT, TEMPLATES, template};
pub use crate::workflow::compiled::{
    ClaimPath, CleanupPolicy, StateBehaviour, StateRef, TaskStanding, Workflow, WorkflowState,
};
pub use crate::workflow::definition::{
    BoardPhase, CleanupTiming, StateDefinition, TerminalOutcome, WorkflowDefinition,
    WorkflowStateKind,
};
pub use crate::workflow::migration::{MappingProblem, OccupiedState, WorkflowMigration};
pub use crate::workflow::name::{RoleName, StateName, WorkflowHash};
pub use crate::workflow::problem::{DefinitionProblem, InvalidWorkflowError, ProblemCode};
