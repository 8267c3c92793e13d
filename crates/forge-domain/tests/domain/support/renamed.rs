//! A workflow under other names.

use forge_domain::workflow::{StateDefinition, WorkflowDefinition};

/// Renames the states of a definition.
pub(crate) fn rename(
    definition: &WorkflowDefinition,
    name_of: impl Fn(&str) -> String,
) -> WorkflowDefinition {
    let other = |name: &Option<String>| name.as_deref().map(&name_of);
    let state = definition.state.iter().map(|state| StateDefinition {
        name: name_of(&state.name),
        claim_target: other(&state.claim_target),
        done: other(&state.done),
        failed: other(&state.failed),
        pass: other(&state.pass),
        reject: other(&state.reject),
        exhausted: other(&state.exhausted),
        merged: other(&state.merged),
        conflict: other(&state.conflict),
        rejected: other(&state.rejected),
        manual: state.manual.iter().map(|name| name_of(name)).collect(),
        ..state.clone()
    });
    WorkflowDefinition {
        name: definition.name.clone(),
        initial: name_of(&definition.initial),
        fault: name_of(&definition.fault),
        cancel: name_of(&definition.cancel),
        state: state.collect(),
    }
}
