//! Converts holders of roles.

use forge_api::RoleAssignee;
use forge_domain::{AgentId, UserId};

/// Converts to the wire type.
pub(crate) fn assignee(assignee: forge_domain::Assignee) -> RoleAssignee {
    match assignee {
        forge_domain::Assignee::Agent { id } => RoleAssignee::Agent(id.uuid()),
        forge_domain::Assignee::User { id } => RoleAssignee::User(id.uuid()),
    }
}

/// Converts from the wire type.
pub(crate) fn domain_assignee(assignee: RoleAssignee) -> forge_domain::Assignee {
    match assignee {
        RoleAssignee::Agent(id) => forge_domain::Assignee::Agent { id: AgentId::new(id) },
        RoleAssignee::User(id) => forge_domain::Assignee::User { id: UserId::new(id) },
    }
}
