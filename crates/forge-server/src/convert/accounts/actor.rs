//! Converts actors.

use forge_api::ActorView;

/// Converts an actor without its name; a client that needs the name fetches the user or agent.
pub(crate) fn actor(actor: &forge_domain::Actor) -> ActorView {
    match actor {
        forge_domain::Actor::User { id } => ActorView::User { id: id.uuid(), name: None },
        forge_domain::Actor::Agent { id, execution } => {
            ActorView::Agent { id: id.uuid(), execution_id: execution.uuid(), name: None }
        }
        forge_domain::Actor::System { component } => {
            ActorView::System { component: component.clone() }
        }
    }
}
