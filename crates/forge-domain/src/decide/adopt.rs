//! A task goes on in the workflow that takes the place of its own (F-5).

use super::outcome::Decision;
use crate::apply::apply;
use crate::command::Adopt;
use crate::task::Snapshot;
use crate::workflow::Succession;
use crate::{Envelope, Event, Recorded, Refusal};

/// Takes a task over, at the place it has. Nothing is begun or ended by it: what is under way goes on, and its report
/// is decided by the new workflow. A task of another workflow than the one that goes stays as it is.
pub fn adopt(
    succession: &Succession<'_>,
    task: &Snapshot,
    envelope: &Envelope<Adopt>,
) -> Result<Decision, Refusal> {
    if !envelope.actor.is_person() {
        return Err(Refusal::PeopleOnly("replace a workflow"));
    }
    let unchanged = Decision {
        snapshot: task.clone(),
        events: Vec::new(),
        effects: Vec::new(),
        supersedes: false,
    };
    if task.workflow != *succession.old().hash() {
        return Ok(unchanged);
    }
    let Some(before) = succession.old().state(&task.state) else {
        return Err(Refusal::UnknownState { state: task.state.clone() });
    };
    if before.is_terminal() {
        return Err(Refusal::TaskTerminal { key: task.key() });
    }
    let Some(after) = succession.successor(before) else {
        let states = succession.stranded([(&task.state, &1)]);
        return Err(Refusal::WorkflowInUse { states });
    };
    let workflow = succession.new_workflow().hash().clone();
    if after.name == before.name && workflow == task.workflow {
        return Ok(unchanged);
    }
    let event = Event::TaskAdopted {
        workflow,
        from: before.name.clone(),
        to: after.name.clone(),
        phase: after.phase,
        standing: after.standing(),
        claimable: after.is_claimable(),
        rejections: succession.carry(&task.rejections),
        gate: task.gate.state.as_ref().and_then(|gate| succession.renamed(gate)),
    };
    let mut snapshot = unchanged.snapshot;
    apply(&mut snapshot, &event, envelope.at);
    snapshot.version += 1;
    let events = vec![Recorded { event, at: envelope.at, version: snapshot.version }];
    Ok(Decision { snapshot, events, effects: Vec::new(), supersedes: false })
}
