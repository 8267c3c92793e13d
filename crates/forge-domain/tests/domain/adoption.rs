//! Replacing a workflow (F-5): what happens to a task that has not ended.

use crate::support::{
    TaskFixture, agent_actor, by_agent, conflict, definition, failed, machine, merged, name,
    passed, person, rename, turn, workflow,
};
use forge_domain::task::TaskActivity;
use forge_domain::workflow::{
    BoardPhase, MappingProblem, OccupiedState, StateName, TaskStanding, Workflow,
    WorkflowDefinition, WorkflowMigration, WorkflowStateKind,
};
use forge_domain::{ExecutionEnding, ExecutionId, Refusal, TaskEvent};
use std::collections::BTreeMap;

fn mapping(entries: &[(&str, &str)]) -> BTreeMap<StateName, StateName> {
    entries.iter().map(|(from, to)| (name(from), name(to))).collect()
}

fn none() -> BTreeMap<StateName, StateName> {
    BTreeMap::new()
}

fn compiled(definition: WorkflowDefinition) -> Workflow {
    Workflow::compile(definition).expect("a sound workflow")
}

/// A workflow without a backlog, with a renamed gate that advances by itself and is exhausted at the second rejection.
fn leaner() -> Workflow {
    let mut leaner = rename(&definition("autopilot"), |state| match state {
        "review" => "check".to_owned(),
        "backlog" => "todo".to_owned(),
        other => other.to_owned(),
    });
    leaner.state.remove(0);
    for state in &mut leaner.state {
        state.manual.retain(|target| *target != state.name);
        state.max_attempts = state.max_attempts.map(|_| 2);
    }
    compiled(leaner)
}

#[test]
fn f_5_a_running_execution_continues_and_the_new_workflow_decides_about_its_end() {
    let mut fixture = TaskFixture::working();
    let before = fixture.task.clone();
    let decision = fixture
        .adopt(person(1), &leaner(), &mapping(&[("backlog", "todo")]))
        .expect("it has a place");
    let [recorded] = decision.events.as_slice() else { panic!("one event") };
    assert_eq!(
        recorded.event,
        TaskEvent::TaskAdopted {
            workflow: leaner().hash().clone(),
            from: name("in_progress"),
            to: name("in_progress"),
            phase: BoardPhase::Working,
            standing: TaskStanding::Open,
            claimable: false,
            rejections: BTreeMap::new(),
            gate: None,
            returning: None,
        }
    );
    assert!(decision.effects.is_empty() && !decision.supersedes);
    let now = &fixture.task;
    assert_eq!((now.visit, now.version), (before.visit, before.version + 1));
    assert_eq!((&now.run, now.activity), (&before.run, before.activity));
    assert!(matches!(now.activity, Some(TaskActivity::Running { .. })));
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!(fixture.state(), "check");
    fixture.checks(vec![passed()]);
    assert_eq!(fixture.state(), "merging", "the new gate goes on by itself");
    fixture.land(merged());
    assert_eq!(fixture.state(), "done");
    fixture.check_replay();
}

#[test]
fn f_5_a_landing_under_way_follows_the_edge_of_the_new_workflow() {
    let mut fixture = TaskFixture::landing();
    let renamed = compiled(rename(&definition("default"), |state| format!("{state}-2")));
    let all = definition("default").state;
    let all = all.iter().map(|state| (name(&state.name), name(&format!("{}-2", state.name))));
    fixture.adopt(person(1), &renamed, &all.collect()).expect("every state is mapped");
    assert_eq!(
        (fixture.state(), fixture.task.activity),
        ("merging-2", Some(TaskActivity::Landing))
    );
    fixture.land(conflict());
    assert_eq!(fixture.state(), "merge_failed-2");
}

/// M-4: a renamed gate keeps its count; the count of a removed gate is dropped.
#[test]
fn f_5_m_4_counted_rejections_follow_their_gate() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.task.rejections, BTreeMap::from([(name("review"), 1)]));
    let mut forgetful = fixture.clone();
    fixture.adopt(person(1), &leaner(), &mapping(&[("review", "check")])).expect("it has a place");
    assert_eq!(fixture.task.rejections, BTreeMap::from([(name("check"), 1)]));
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.state(), "blocked", "the second rejection is the last there");
    forgetful.adopt(person(1), &leaner(), &none()).expect("nothing is in the gate");
    assert_eq!(forgetful.task.rejections, BTreeMap::new());
}

#[test]
fn f_5_roles_that_the_new_workflow_does_not_use_stay_recorded() {
    let mut fixture = TaskFixture::working();
    let before = fixture.task.roles.clone();
    let mut other = definition("default");
    other.state.iter_mut().for_each(|state| {
        state.role = state.role.as_deref().map(|role| format!("other {role}"));
    });
    fixture.adopt(person(1), &compiled(other), &none()).expect("the same states");
    assert_eq!(fixture.task.roles, before);
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!((fixture.state(), fixture.task.holder), ("review", Some(by_agent(1))));
}

#[test]
fn f_5_a_queue_becomes_claimable_with_its_successor() {
    let mut fixture = TaskFixture::of("default");
    assert!(!fixture.task.claimable);
    fixture.adopt(person(1), &leaner(), &mapping(&[("backlog", "todo")])).expect("both are queues");
    assert_eq!(
        (fixture.state(), fixture.task.claimable, fixture.task.phase),
        ("todo", true, BoardPhase::Ready)
    );
    fixture.accept(machine(), forge_domain::TaskCommand::Claim { claimer: by_agent(1) });
}

#[test]
fn f_5_the_same_workflow_again_changes_nothing() {
    let mut fixture = TaskFixture::working();
    let before = fixture.task.clone();
    let decision = fixture.adopt(person(1), &workflow("default"), &none()).expect("it is its own");
    assert_eq!((decision.events.as_slice(), &fixture.task), (&[][..], &before));
}

#[test]
fn f_5_a_task_of_another_workflow_stays_as_it_is() {
    let mut fixture = TaskFixture::of("session");
    let before = fixture.task.clone();
    fixture.workflow = workflow("default");
    let decision = fixture.adopt(person(1), &leaner(), &none()).expect("it is not concerned");
    assert_eq!((decision.events.as_slice(), &fixture.task), (&[][..], &before));
}

#[test]
fn f_5_an_ended_task_keeps_the_revision_it_ended_in() {
    let mut fixture = TaskFixture::landing();
    fixture.land(merged());
    let before = fixture.task.clone();
    let refusal = fixture.adopt(person(1), &leaner(), &none()).expect_err("it has ended");
    assert_eq!(refusal, Refusal::TaskTerminal { key: before.key() });
    assert_eq!(fixture.task, before);
}

#[test]
fn f_5_only_a_person_replaces_a_workflow() {
    let speaker = agent_actor(1, ExecutionId::new(crate::support::uuid(77)));
    for actor in [machine(), speaker] {
        let mut fixture = TaskFixture::working();
        let refusal = fixture.adopt(actor, &leaner(), &none()).expect_err("not a person");
        assert_eq!(refusal, Refusal::PeopleOnly("replace a workflow"));
    }
}

#[test]
fn f_5_a_task_in_a_state_without_successor_is_not_moved() {
    let mut fixture = TaskFixture::in_review();
    let refusal = fixture.adopt(person(1), &leaner(), &none()).expect_err("the gate is gone");
    let states = vec![OccupiedState { state: name("review"), tasks: 1, changed: None }];
    assert_eq!(refusal, Refusal::WorkflowInUse { states });
    assert_eq!(fixture.state(), "review");
}

/// All states that contain tasks and have no successor, including those whose namesake has another kind.
#[test]
fn f_5_every_state_without_successor_is_reported_with_its_tasks() {
    let (old, none) = (workflow("default"), none());
    // The new workflow swaps the gate and the hold.
    let other = compiled(rename(&definition("default"), |state| match state {
        "review" => "blocked".to_owned(),
        "blocked" => "review".to_owned(),
        "todo" => "ready".to_owned(),
        other => other.to_owned(),
    }));
    let succession = WorkflowMigration::new(&old, &other, &none).expect("no mapping is no mistake");
    let held: BTreeMap<_, _> =
        [("backlog", 7), ("blocked", 1), ("in_progress", 2), ("review", 3), ("todo", 4)]
            .map(|(state, tasks)| (name(state), tasks))
            .into();
    let stranded = succession.occupied_states(&held);
    let expected = [
        ("blocked", 1, Some((WorkflowStateKind::Hold, WorkflowStateKind::Gate))),
        ("review", 3, Some((WorkflowStateKind::Gate, WorkflowStateKind::Hold))),
        ("todo", 4, None),
    ]
    .map(|(state, tasks, changed)| OccupiedState { state: name(state), tasks, changed });
    assert_eq!(stranded, expected);
    assert_eq!(
        Refusal::WorkflowInUse { states: stranded }.to_string(),
        "the new workflow has no place for the tasks in \"blocked\" (1 task, a hold state that is a gate state \
         there), \"review\" (3 tasks, a gate state that is a hold state there), \"todo\" (4 tasks); say in a mapping \
         which state of the same kind takes each"
    );
}

/// All problems of a mapping are reported at once.
#[test]
fn f_5_a_mapping_with_five_mistakes_reports_five() {
    let (old, new) = (workflow("default"), leaner());
    let mapping = mapping(&[
        ("backlog", "todo"),
        ("blocked", "check"),
        ("nowhere", "neverland"),
        ("review", "inspection"),
        ("todo", "in_progress"),
    ]);
    let problems = WorkflowMigration::new(&old, &new, &mapping).expect_err("five mistakes");
    let states: Vec<_> = problems.iter().map(|problem| problem.state.as_str()).collect();
    assert_eq!(states, ["blocked", "nowhere", "nowhere", "review", "todo"]);
    let MappingProblem { message, .. } = &problems[0];
    assert_eq!(
        message,
        "\"blocked\" is a hold state and \"check\" a gate state; only one of the same kind can take its tasks"
    );
    assert!(problems[3].message.contains("\"inspection\""), "{}", problems[3].message);
}
