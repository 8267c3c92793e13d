//! Who did something, on the wire.

use forge_api::Actor;

/// Without names: who needs them asks for the user or agent.
pub(crate) fn actor(actor: &forge_domain::Actor) -> Actor {
    match actor {
        forge_domain::Actor::User { id } => Actor::User { id: id.uuid(), name: None },
        forge_domain::Actor::Agent { id, execution } => {
            Actor::Agent { id: id.uuid(), execution_id: execution.uuid(), name: None }
        }
        forge_domain::Actor::System { component } => Actor::System { component: component.clone() },
    }
}
