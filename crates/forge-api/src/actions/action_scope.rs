//! The scope of an action.

use serde::Serialize;

/// The callers that may perform an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionScope {
    /// The object that limits the callers to those who may see it.
    pub object: ScopeObject,
    /// The callers among them.
    pub callers: AllowedCallers,
}

/// The object that the first parameter of the path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeObject {
    /// No object of a project: the handler limits what it returns and changes.
    Server,
    Project,
    Task,
    Execution,
    Review,
}

/// The kinds of callers that may perform an action. Members of a project and admins see its objects; an execution
/// sees those of its own task, and in the role planner those of its subtasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedCallers {
    /// Every client, also without a credential.
    Public,
    /// Every user who sees the object.
    Users,
    /// Every user and every execution that sees the object.
    UsersAndExecutions,
    /// Every user who sees the object, and an execution in the role planner for the subtasks of its task. For an object
    /// that is no task, the handler limits the planner to them.
    UsersAndPlanners,
    /// Every admin who sees the object, and no other caller.
    Admins,
}
