//! Workflows are data (F-1): a definition as written, the check that reports every problem together, and the compiled
//! graph from which all behaviour is derived.

mod builtin;
mod check;
mod compiled;
mod definition;
mod drawing;
mod name;
mod problem;
mod shape;
mod succession;

pub use builtin::{DEFAULT, TEMPLATES, template};
pub use compiled::{Behaviour, ClaimPath, CleanupPolicy, Standing, State, StateRef, Workflow};
pub use definition::{Cleanup, Definition, Kind, Outcome, Phase, StateDefinition};
pub use name::{RoleName, StateName, WorkflowHash};
pub use problem::{Invalid, Problem, ProblemCode};
pub use succession::{HeldState, MappingProblem, Succession};
