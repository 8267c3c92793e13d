//! Who holds a role.

use forge_api::Assignee;
use forge_domain::{AgentId, UserId};

/// As clients see it.
pub(crate) fn assignee(assignee: forge_domain::Assignee) -> Assignee {
    match assignee {
        forge_domain::Assignee::Agent { id } => Assignee::Agent(id.uuid()),
        forge_domain::Assignee::User { id } => Assignee::User(id.uuid()),
    }
}

/// As clients ask for it.
pub(crate) fn asked(assignee: Assignee) -> forge_domain::Assignee {
    match assignee {
        Assignee::Agent(id) => forge_domain::Assignee::Agent { id: AgentId::new(id) },
        Assignee::User(id) => forge_domain::Assignee::User { id: UserId::new(id) },
    }
}
