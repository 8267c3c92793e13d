//! Overrides of a claim (T-3): stored with the holder of the role, and part of every execution of the claim.

use crate::support::{TaskFixture, by_agent, failed, out_of_quota, person, role, turn};
use forge_domain::task::{ExecutionOverrides, ReasoningEffort};
use forge_domain::{
    ExecutionEnding, ExecutionResult, PermissionPolicy, Refusal, ResetScope, SubstituteAgent,
    TaskCommand, replay,
};

fn all() -> ExecutionOverrides {
    ExecutionOverrides {
        model: Some("opus".to_owned()),
        reasoning_effort: Some(ReasoningEffort::High),
        permission_policy: Some(PermissionPolicy::Plan),
        deadline_seconds: Some(60),
        may_widen_policy: false,
    }
}

fn claim(overrides: ExecutionOverrides) -> TaskCommand {
    let agent = by_agent(1).agent().expect("an agent");
    TaskCommand::ClaimWithOverrides { agent, overrides: Box::new(overrides) }
}

fn overridden() -> TaskFixture {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), claim(all()));
    fixture
}

/// The overrides of the open execution.
fn of_run(fixture: &TaskFixture) -> ExecutionOverrides {
    (*fixture.task.run.as_ref().expect("a run").overrides).clone()
}

#[test]
fn t_3_every_execution_of_a_claim_keeps_its_overrides() {
    let mut fixture = overridden();
    assert_eq!(of_run(&fixture), all());
    // Lost with its server, then restarted by a person, then sent back by the gate.
    fixture.whole_turn(ExecutionResult::without_work(ExecutionEnding::Lost));
    assert_eq!(of_run(&fixture), all(), "after a loss");
    fixture.prepare();
    fixture.start();
    let execution = fixture.execution();
    fixture.accept(person(1), TaskCommand::Restart { execution });
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert_eq!(of_run(&fixture), all(), "after a restart");
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(of_run(&fixture), all(), "after the gate");
    assert_eq!(replay(&fixture.recorded), Some(fixture.task.clone()), "events hold the overrides");
}

#[test]
fn t_3_the_next_holder_starts_without_the_overrides() {
    let mut fixture = overridden();
    let assign = TaskCommand::Assign {
        role: role("coder"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), assign);
    assert!(fixture.task.overrides.is_empty());

    let mut fixture = overridden();
    fixture.accept(person(1), TaskCommand::HandOff { message: "too hard".to_owned() });
    assert!(fixture.task.overrides.is_empty(), "a handoff releases the role");

    let mut fixture = overridden();
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 3 }));
    fixture.move_to("todo", None);
    fixture.claim(by_agent(1));
    assert!(of_run(&fixture).is_empty(), "a claim without overrides by the same agent");
}

/// S-6: the model belongs to the first agent's program, but the limits stay.
#[test]
fn e_9_an_agent_that_takes_over_keeps_policy_and_deadline() {
    let mut fixture = overridden();
    fixture.prepare();
    fixture.start();
    let agent = by_agent(2).agent().expect("an agent");
    let (name, replaced_name) = ("ben".to_owned(), "ada".to_owned());
    fixture.facts.substitute = Some(SubstituteAgent { agent, name, replaced_name });
    fixture.end_turn(out_of_quota());
    let kept = of_run(&fixture);
    assert_eq!((kept.model, kept.reasoning_effort), (None, None));
    assert_eq!(kept.permission_policy, Some(PermissionPolicy::Plan));
    assert_eq!(kept.deadline_seconds, Some(60));
}

#[test]
fn t_3_a_deadline_has_its_own_ending() {
    let mut fixture = overridden();
    fixture.whole_turn(turn(ExecutionEnding::DeadlineReached));
    assert_eq!(fixture.state(), "blocked");
    let message = fixture.task.annotation.clone().expect("noted").message;
    assert!(message.contains("reached the deadline of its claim"), "{message}");
}

#[test]
fn t_3_invalid_overrides_are_refused_with_their_field() {
    let mut fixture = TaskFixture::of("default");
    for (overrides, named) in [
        (ExecutionOverrides { deadline_seconds: Some(0), ..all() }, "overrides.deadline_seconds"),
        (
            ExecutionOverrides { deadline_seconds: Some(u64::MAX), ..all() },
            "overrides.deadline_seconds",
        ),
        (ExecutionOverrides { model: Some(" ".to_owned()), ..all() }, "overrides.model"),
    ] {
        match fixture.refuse(person(1), claim(overrides)) {
            Refusal::InvalidField { field, .. } => assert_eq!(field, named),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(fixture.task.version, 1);
}
