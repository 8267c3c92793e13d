//! Replaying the events gives the snapshot. Every fixture checks each step; this checks whole histories.

use crate::support::{
    EffectSimulation, SeededRandom, TaskFixture, agent_actor, by_agent, conflict, person,
    random_task, role, signed_out, turn, workflow,
};
use forge_domain::workflow::TEMPLATES;
use forge_domain::{
    Effect, EffectReport, ExecutionEnding, RecordedEvent, ResetScope, TaskCommand, TaskPatch,
    replay,
};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn p_6_a_truncated_history_gives_the_task_at_that_time() {
    let mut kinds = BTreeSet::new();
    for (template, _) in TEMPLATES {
        for seed in 0..25 {
            let mut dice = SeededRandom::new(seed);
            let mut world = EffectSimulation::new(&mut dice);
            let asked = random_task(&workflow(template), &mut dice);
            let mut fixture = TaskFixture::with(workflow(template), asked);
            let mut milestones = Vec::new();
            for _ in 0..60 {
                if !world.live(&mut fixture, &mut dice) {
                    break;
                }
                milestones.push((fixture.recorded.len(), fixture.task.clone()));
            }
            for (length, snapshot) in milestones.iter().step_by(7) {
                assert_eq!(replay(&fixture.recorded[..*length]).as_ref(), Some(snapshot));
            }
            fixture.check_replay();
            kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
        }
    }
    let mut fixture = TaskFixture::in_review();
    fixture.checks(Vec::new());
    let coder = TaskCommand::Assign {
        role: role("coder"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), coder);
    fixture
        .adopt(person(1), &workflow("autopilot"), &BTreeMap::new())
        .expect("it has the same states");
    fixture.check_replay();
    kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
    // A case that random runs reach too rarely.
    let mut fixture = TaskFixture::landing();
    fixture.workflow = workflow("autopilot");
    fixture.land(conflict());
    let Effect::Rebase { visit, .. } = fixture.take("rebase").effect().clone() else {
        panic!("a rebase");
    };
    fixture.report(EffectReport::LandingDue { visit });
    fixture.check_replay();
    kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    let agent = by_agent(1).agent().expect("an agent");
    let (session, message) = (Some("s-1".to_owned()), "mind the tabs".to_owned());
    fixture
        .accept(person(1), TaskCommand::FollowUp { role: role("coder"), agent, session, message });
    fixture.whole_turn(signed_out());
    fixture.check_replay();
    kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
    let mut fixture = TaskFixture::working();
    let (execution, message) = (fixture.execution(), "use spaces".to_owned());
    fixture.accept(person(1), TaskCommand::Steer { execution, message, live: true });
    fixture.check_replay();
    kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
    let mut fixture = TaskFixture::working();
    let by_agent = agent_actor(1, fixture.execution());
    for is_awaited in [false, true, false] {
        let text = "Which port?".to_owned();
        fixture.accept(by_agent.clone(), TaskCommand::Ask { text, is_awaited });
    }
    for number in [1, 2] {
        let text = "8080".to_owned();
        fixture.accept(person(1), TaskCommand::Answer { number, text, live: true });
    }
    let patch = TaskPatch { priority: Some(1), ..TaskPatch::default() };
    fixture.accept(person(1), TaskCommand::Update(patch));
    fixture.accept(by_agent, TaskCommand::ReceiveAnswer { number: 2 });
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    fixture.take("deliver_steer");
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    fixture.check_replay();
    kinds.extend(fixture.recorded.iter().map(|recorded| recorded.event.kind().0));
    let expected = [
        "comment.created",
        "dependency.added",
        "dependency.removed",
        "effect.failed",
        "execution.created",
        "execution.finished",
        "execution.postponed",
        "execution.stalled",
        "execution.started",
        "execution.steered",
        "merge.finished",
        "merge.sent_back",
        "merge.started",
        "merge.tried_again",
        "question.answered",
        "question.asked",
        "question.received",
        "questions.awaited",
        "questions.closed",
        "review.checked",
        "review.finished",
        "review.started",
        "task.adopted",
        "task.annotated",
        "task.archived",
        "task.assigned",
        "task.created",
        "task.handed_off",
        "task.planned",
        "task.stopped",
        "task.stopping",
        "task.submitted",
        "task.transitioned",
        "task.unarchived",
        "task.unpassed",
        "task.updated",
        "workspace.cleaned",
        "workspace.cleaning",
        "workspace.created",
        "workspace.error",
        "workspace.rebased",
        "workspace.rebasing",
        "workspace.reset",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected, "every kind of event took part");
}

#[test]
fn p_6_a_history_without_the_creation_event_gives_no_task() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    assert_eq!(replay(&fixture.recorded[1..]), None);
    assert_eq!(replay(&[] as &[RecordedEvent]), None);
}
