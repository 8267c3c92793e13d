//! One workflow in the place of another (F-5): what becomes of a task that has not ended.

use crate::support::{
    Desk, agent_actor, by_agent, conflict, definition, failed, machine, merged, name, passed,
    person, rename, turn, workflow,
};
use forge_domain::task::Activity;
use forge_domain::workflow::{
    Definition, HeldState, Kind, MappingProblem, Phase, Standing, StateName, Succession, Workflow,
};
use forge_domain::{Ending, Event, ExecutionId, Refusal};
use std::collections::BTreeMap;

fn mapping(entries: &[(&str, &str)]) -> BTreeMap<StateName, StateName> {
    entries.iter().map(|(from, to)| (name(from), name(to))).collect()
}

fn none() -> BTreeMap<StateName, StateName> {
    BTreeMap::new()
}

fn compiled(definition: Definition) -> Workflow {
    Workflow::compile(definition).expect("a sound workflow")
}

/// A workflow without a backlog, whose gate has another name, goes on by itself and gives up at the second rejection.
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
fn f_5_a_running_turn_goes_on_and_its_end_is_decided_by_the_new_workflow() {
    let mut desk = Desk::working();
    let before = desk.task.clone();
    let decision =
        desk.adopt(person(1), &leaner(), &mapping(&[("backlog", "todo")])).expect("it has a place");
    let [recorded] = decision.events.as_slice() else { panic!("one event") };
    assert_eq!(
        recorded.event,
        Event::TaskAdopted {
            workflow: leaner().hash().clone(),
            from: name("in_progress"),
            to: name("in_progress"),
            phase: Phase::Working,
            standing: Standing::Open,
            claimable: false,
            rejections: BTreeMap::new(),
            gate: None,
        }
    );
    assert!(decision.effects.is_empty() && !decision.supersedes);
    let now = &desk.task;
    assert_eq!((now.visit, now.version), (before.visit, before.version + 1));
    assert_eq!((&now.run, now.activity), (&before.run, before.activity));
    assert!(matches!(now.activity, Some(Activity::Running { .. })));
    desk.end_turn(turn(Ending::Exited { code: 0 }));
    assert_eq!(desk.state(), "check");
    desk.checks(vec![passed()]);
    assert_eq!(desk.state(), "merging", "the new gate goes on by itself");
    desk.land(merged());
    assert_eq!(desk.state(), "done");
    desk.check_replay();
}

#[test]
fn f_5_a_landing_under_way_ends_where_the_new_workflow_says() {
    let mut desk = Desk::landing();
    let renamed = compiled(rename(&definition("default"), |state| format!("{state}-2")));
    let all = definition("default").state;
    let all = all.iter().map(|state| (name(&state.name), name(&format!("{}-2", state.name))));
    desk.adopt(person(1), &renamed, &all.collect()).expect("every state is mapped");
    assert_eq!((desk.state(), desk.task.activity), ("merging-2", Some(Activity::Landing)));
    desk.land(conflict());
    assert_eq!(desk.state(), "merge_failed-2");
}

/// M-4: a gate that is only called otherwise does not forget; one that is gone has rejected nothing.
#[test]
fn f_5_m_4_counted_rejections_follow_their_gate() {
    let mut desk = Desk::in_review();
    desk.checks(vec![failed()]);
    assert_eq!(desk.task.rejections, BTreeMap::from([(name("review"), 1)]));
    let mut forgetful = desk.clone();
    desk.adopt(person(1), &leaner(), &mapping(&[("review", "check")])).expect("it has a place");
    assert_eq!(desk.task.rejections, BTreeMap::from([(name("check"), 1)]));
    desk.whole_turn(turn(Ending::Exited { code: 0 }));
    desk.checks(vec![failed()]);
    assert_eq!(desk.state(), "blocked", "the second rejection is the last there");
    forgetful.adopt(person(1), &leaner(), &none()).expect("nothing is in the gate");
    assert_eq!(forgetful.task.rejections, BTreeMap::new());
}

#[test]
fn f_5_roles_that_the_new_workflow_does_not_use_stay_recorded() {
    let mut desk = Desk::working();
    let before = desk.task.roles.clone();
    let mut other = definition("default");
    other.state.iter_mut().for_each(|state| {
        state.role = state.role.as_deref().map(|role| format!("other {role}"));
    });
    desk.adopt(person(1), &compiled(other), &none()).expect("the same states");
    assert_eq!(desk.task.roles, before);
    desk.end_turn(turn(Ending::Exited { code: 0 }));
    assert_eq!((desk.state(), desk.task.holder), ("review", Some(by_agent(1))));
}

#[test]
fn f_5_a_queue_becomes_claimable_with_its_successor() {
    let mut desk = Desk::of("default");
    assert!(!desk.task.claimable);
    desk.adopt(person(1), &leaner(), &mapping(&[("backlog", "todo")])).expect("both are queues");
    assert_eq!((desk.state(), desk.task.claimable, desk.task.phase), ("todo", true, Phase::Ready));
    desk.accept(machine(), forge_domain::Command::Claim { claimer: by_agent(1) });
}

#[test]
fn f_5_the_same_workflow_again_changes_nothing() {
    let mut desk = Desk::working();
    let before = desk.task.clone();
    let decision = desk.adopt(person(1), &workflow("default"), &none()).expect("it is its own");
    assert_eq!((decision.events.as_slice(), &desk.task), (&[][..], &before));
}

#[test]
fn f_5_a_task_of_another_workflow_stays_as_it_is() {
    let mut desk = Desk::of("session");
    let before = desk.task.clone();
    desk.workflow = workflow("default");
    let decision = desk.adopt(person(1), &leaner(), &none()).expect("it is not concerned");
    assert_eq!((decision.events.as_slice(), &desk.task), (&[][..], &before));
}

#[test]
fn f_5_an_ended_task_keeps_the_revision_it_ended_in() {
    let mut desk = Desk::landing();
    desk.land(merged());
    let before = desk.task.clone();
    let refusal = desk.adopt(person(1), &leaner(), &none()).expect_err("it has ended");
    assert_eq!(refusal, Refusal::TaskTerminal { key: before.key() });
    assert_eq!(desk.task, before);
}

#[test]
fn f_5_only_a_person_replaces_a_workflow() {
    let speaker = agent_actor(1, ExecutionId::new(crate::support::uuid(77)));
    for actor in [machine(), speaker] {
        let mut desk = Desk::working();
        let refusal = desk.adopt(actor, &leaner(), &none()).expect_err("not a person");
        assert_eq!(refusal, Refusal::PeopleOnly("replace a workflow"));
    }
}

#[test]
fn f_5_a_state_without_successor_keeps_the_task_where_it_is() {
    let mut desk = Desk::in_review();
    let refusal = desk.adopt(person(1), &leaner(), &none()).expect_err("the gate is gone");
    let states = vec![HeldState { state: name("review"), tasks: 1, changed: None }];
    assert_eq!(refusal, Refusal::WorkflowInUse { states });
    assert_eq!(desk.state(), "review");
}

/// All states that hold tasks and have no successor, those whose namesake is something else included.
#[test]
fn f_5_every_stranded_state_is_named_with_its_tasks() {
    let (old, none) = (workflow("default"), none());
    // What was the gate is a hold there, and what held is the gate.
    let other = compiled(rename(&definition("default"), |state| match state {
        "review" => "blocked".to_owned(),
        "blocked" => "review".to_owned(),
        "todo" => "ready".to_owned(),
        other => other.to_owned(),
    }));
    let succession = Succession::new(&old, &other, &none).expect("no mapping is no mistake");
    let held: BTreeMap<_, _> =
        [("backlog", 7), ("blocked", 1), ("in_progress", 2), ("review", 3), ("todo", 4)]
            .map(|(state, tasks)| (name(state), tasks))
            .into();
    let stranded = succession.stranded(&held);
    let expected = [
        ("blocked", 1, Some((Kind::Hold, Kind::Gate))),
        ("review", 3, Some((Kind::Gate, Kind::Hold))),
        ("todo", 4, None),
    ]
    .map(|(state, tasks, changed)| HeldState { state: name(state), tasks, changed });
    assert_eq!(stranded, expected);
    assert_eq!(
        Refusal::WorkflowInUse { states: stranded }.to_string(),
        "the new workflow has no place for the tasks in \"blocked\" (1 task, a hold state that is a gate state \
         there), \"review\" (3 tasks, a gate state that is a hold state there), \"todo\" (4 tasks); say in a mapping \
         which state of the same kind takes each"
    );
}

/// Everything that is wrong with a mapping is said at once.
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
    let problems = Succession::new(&old, &new, &mapping).expect_err("five mistakes");
    let states: Vec<_> = problems.iter().map(|problem| problem.state.as_str()).collect();
    assert_eq!(states, ["blocked", "nowhere", "nowhere", "review", "todo"]);
    let MappingProblem { message, .. } = &problems[0];
    assert_eq!(
        message,
        "\"blocked\" is a hold state and \"check\" a gate state; only one of the same kind can take its tasks"
    );
    assert!(problems[3].message.contains("\"inspection\""), "{}", problems[3].message);
}
