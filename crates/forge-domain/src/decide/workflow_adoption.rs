//! Moves a task into the workflow that replaces its own (F-5).

use crate::apply::apply;
use crate::command::AdoptWorkflow;
use crate::decide::decision::Decision;
use crate::task::TaskSnapshot;
use crate::workflow::WorkflowMigration;
use crate::{CommandEnvelope, RecordedEvent, Refusal, TaskEvent};

/// Moves a task to its successor state in the new workflow. No effect starts or stops: current effects continue, and
/// the new workflow decides about their reports. A task of any other workflow stays unchanged.
pub fn adopt_workflow(
    succession: &WorkflowMigration<'_>,
    task: &TaskSnapshot,
    envelope: &CommandEnvelope<AdoptWorkflow>,
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
        let states = succession.occupied_states([(&task.state, &1)]);
        return Err(Refusal::WorkflowInUse { states });
    };
    let workflow = succession.new_workflow().hash().clone();
    if after.name == before.name && workflow == task.workflow {
        return Ok(unchanged);
    }
    let returning = task.post_landing.returning.as_ref();
    let event = TaskEvent::TaskAdopted {
        workflow,
        from: before.name.clone(),
        to: after.name.clone(),
        phase: after.phase,
        standing: after.standing(),
        claimable: after.is_claimable(),
        rejections: succession.map_counts(&task.rejections),
        gate: task.gate.state.as_ref().and_then(|gate| succession.map_state(gate)),
        returning: returning.and_then(|returning| succession.map_state(&returning.to)),
    };
    let mut snapshot = unchanged.snapshot;
    apply(&mut snapshot, &event, envelope.at);
    snapshot.version += 1;
    let events = vec![RecordedEvent { event, at: envelope.at, version: snapshot.version }];
    Ok(Decision { snapshot, events, effects: Vec::new(), supersedes: false })
}
