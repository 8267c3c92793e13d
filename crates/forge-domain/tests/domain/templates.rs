//! The shipped workflows and the kinds of their states (F-2 to F-4, F-6).

use crate::support::{name, workflow};
use forge_domain::workflow::{
    BoardPhase, CleanupPolicy, StateBehaviour, TaskStanding, TerminalOutcome, Workflow,
    WorkflowDefinition, WorkflowState,
};

fn state<'a>(workflow: &'a Workflow, state: &str) -> &'a WorkflowState {
    workflow.state(&name(state)).expect("a state of the workflow")
}

fn kind(state: &WorkflowState) -> &'static str {
    match state.behaviour {
        StateBehaviour::Queue { .. } => "queue",
        StateBehaviour::Work { .. } => "work",
        StateBehaviour::Gate { .. } => "gate",
        StateBehaviour::Merge { .. } => "merge",
        StateBehaviour::Hold { .. } => "hold",
        StateBehaviour::Terminal { .. } => "terminal",
    }
}

#[test]
fn f_4_the_default_workflow_has_the_states_of_the_seed_in_its_order() {
    let default = workflow("default");
    let table: Vec<_> = default
        .states()
        .map(|state| (state.name.as_str(), kind(state), state.phase, state.standing()))
        .collect();
    let expected = [
        ("backlog", "queue", BoardPhase::Backlog, TaskStanding::Open),
        ("todo", "queue", BoardPhase::Ready, TaskStanding::Open),
        ("planning", "work", BoardPhase::Working, TaskStanding::Open),
        ("in_progress", "work", BoardPhase::Working, TaskStanding::Open),
        ("review", "gate", BoardPhase::Review, TaskStanding::Submitted),
        ("merging", "merge", BoardPhase::Review, TaskStanding::Submitted),
        ("done", "terminal", BoardPhase::Done, TaskStanding::Succeeded),
        ("blocked", "hold", BoardPhase::Working, TaskStanding::Open),
        ("merge_failed", "hold", BoardPhase::Working, TaskStanding::Open),
        ("cancelled", "terminal", BoardPhase::Done, TaskStanding::Ended),
    ];
    assert_eq!(table, expected);
    assert_eq!(default.initial().name().as_str(), "backlog");
    assert_eq!(default.fault().name().as_str(), "blocked");
    assert_eq!(default.cancel().name().as_str(), "cancelled");
    assert_eq!(default.claim_queue().expect("a pool").name().as_str(), "todo");
    assert_eq!(default.claim_role().expect("a role").as_str(), "coder");
}

#[test]
fn f_3_the_edges_of_the_default_workflow_match_the_seed() {
    let default = workflow("default");
    let StateBehaviour::Work { role, optional, done, failed } =
        &state(&default, "planning").behaviour
    else {
        panic!("planning is work");
    };
    assert_eq!((role.as_str(), *optional), ("planner", true));
    assert_eq!((done.name().as_str(), failed.name().as_str()), ("in_progress", "blocked"));
    let StateBehaviour::Gate { role, pass, reject, exhausted, max_attempts, auto_advance } =
        &state(&default, "review").behaviour
    else {
        panic!("review is a gate");
    };
    assert_eq!(role.as_ref().map(|role| role.as_str()), Some("reviewer"));
    assert_eq!(pass.name().as_str(), "merging");
    assert_eq!(reject.name().as_str(), "in_progress");
    assert_eq!(exhausted.name().as_str(), "blocked");
    assert_eq!((*max_attempts, *auto_advance), (Some(3), false));
    let StateBehaviour::Merge { merged, conflict, rejected, exhausted, max_attempts } =
        &state(&default, "merging").behaviour
    else {
        panic!("merging is a merge");
    };
    assert_eq!((merged.name().as_str(), conflict.name().as_str()), ("done", "merge_failed"));
    assert_eq!((rejected, exhausted.name().as_str()), (conflict, "blocked"));
    assert_eq!(*max_attempts, None);
}

#[test]
fn f_2_terminal_states_have_an_outcome_and_a_cleanup() {
    let default = workflow("default");
    let terminal = |found: &str| match state(&default, found).behaviour {
        StateBehaviour::Terminal { outcome, cleanup } => (outcome, cleanup),
        _ => panic!("{found} is terminal"),
    };
    assert_eq!(terminal("done"), (TerminalOutcome::Success, CleanupPolicy::Immediate));
    assert_eq!(terminal("cancelled"), (TerminalOutcome::Cancelled, CleanupPolicy::Delayed(None)));
    let hold = &state(&default, "merge_failed").behaviour;
    assert_eq!(*hold, StateBehaviour::Hold { cleanup: Some(CleanupPolicy::Immediate) });
}

#[test]
fn f_4_the_other_templates_differ_as_their_names_say() {
    let autopilot = workflow("autopilot");
    assert!(matches!(
        state(&autopilot, "review").behaviour,
        StateBehaviour::Gate { auto_advance: true, .. }
    ));
    let no_review = workflow("no-review");
    assert!(no_review.states().all(|state| kind(state) != "gate"));
    let ordered: Vec<_> = workflow("ordered-turn").states().map(|s| s.name.to_string()).collect();
    assert_eq!(ordered[..3], ["todo", "in_progress", "done"]);
    for template in ["session", "run", "triage"] {
        let workflow = workflow(template);
        let initial = state(&workflow, workflow.initial().name().as_str());
        assert!(initial.is_claimable(), "{template}: a task starts where it can be claimed");
    }
}

/// F-3: absent edges lead to the fault state.
#[test]
fn f_3_absent_edges_lead_to_the_fault_state() {
    let mut definition = crate::support::definition("default");
    for state in &mut definition.state {
        state.failed = None;
        state.exhausted = None;
        state.conflict = None;
        state.manual.push("merge_failed".to_owned());
    }
    for state in &mut definition.state {
        if state.outcome.is_some() {
            state.manual.clear();
        }
    }
    let workflow = Workflow::compile(definition).expect("sound without them");
    let fault = workflow.fault();
    for state in workflow.states() {
        match &state.behaviour {
            StateBehaviour::Work { failed, .. } => assert_eq!(*failed, fault),
            StateBehaviour::Gate { exhausted, .. } => assert_eq!(*exhausted, fault),
            StateBehaviour::Merge { conflict, .. } => assert_eq!(*conflict, fault),
            _ => {}
        }
    }
}

/// F-6: an explicit phase overrides the phase of the kind.
#[test]
fn f_6_a_state_may_choose_its_phase() {
    let mut definition = crate::support::definition("default");
    definition.state[7].phase = Some(BoardPhase::Backlog);
    let workflow = Workflow::compile(definition).expect("sound");
    assert_eq!(state(&workflow, "blocked").phase, BoardPhase::Backlog);
}

/// F-1: a definition is identified by its content.
#[test]
fn f_1_only_equal_definitions_have_equal_hashes() {
    let hashes: std::collections::BTreeSet<_> = forge_domain::workflow::TEMPLATES
        .iter()
        .map(|(name, _)| workflow(name).hash().clone())
        .collect();
    assert_eq!(hashes.len(), forge_domain::workflow::TEMPLATES.len());
    assert_eq!(workflow("default").hash(), workflow("default").hash());
}

/// F-1: databases contain this hash. A different hash for the same text would make the same workflow look new; a
/// template that changes on purpose gets its new hash here.
#[test]
fn f_1_the_hash_of_the_default_template_equals_the_stored_one() {
    let known = "b2f2f0f8f58e4f1ea9c1a1b8dadb00f04fb21c2325fae32ea01da7818e49e3c5";
    assert_eq!(workflow("default").hash().to_string(), known);
}

/// F-1: the order of keys in the file is not part of a definition.
#[test]
fn f_1_a_definition_in_another_order_of_keys_has_the_same_hash() {
    fn turned(value: &serde_json::Value) -> String {
        match value {
            serde_json::Value::Object(map) => {
                let mut keys: Vec<_> = map.iter().collect();
                keys.sort_by(|one, other| other.0.cmp(one.0));
                let fields: Vec<_> =
                    keys.iter().map(|(key, value)| format!("{key:?}:{}", turned(value))).collect();
                format!("{{{}}}", fields.join(","))
            }
            serde_json::Value::Array(list) => {
                format!("[{}]", list.iter().map(turned).collect::<Vec<_>>().join(","))
            }
            other => other.to_string(),
        }
    }
    for (name, _) in forge_domain::workflow::TEMPLATES {
        let definition = crate::support::definition(name);
        let written = serde_json::to_value(&definition).expect("JSON");
        let text = turned(&written);
        let sorted = forge_domain::CanonicalJson::of(written);
        assert_ne!(text, sorted.as_str());
        for text in [text.as_str(), sorted.as_str()] {
            let read: WorkflowDefinition = serde_json::from_str(text).expect("a definition");
            assert_eq!(read.hash(), definition.hash(), "{name}");
        }
    }
}

/// People copy the example of the guide, so it must be valid.
#[test]
fn f_5_the_example_of_the_guide_is_valid() {
    let guide = include_str!("../../../../docs/WORKFLOWS.md");
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let definition =
        WorkflowDefinition::from_toml(example.expect("an example")).expect("it can be read");
    assert_eq!(definition.problems(), []);
}
