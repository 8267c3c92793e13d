//! Actions that an actor can take now (T-11).

use crate::support::{
    EffectSimulation, SeededRandom, TaskFixture, agent_actor, by_user, check_actions, machine,
    passed, person, random_task, role, workflow,
};
use forge_domain::workflow::TEMPLATES;
use forge_domain::{Actor, ResetScope, TaskActionKind, TaskCommand, allowed_actions};

fn offered(fixture: &TaskFixture, actor: &Actor) -> Vec<String> {
    let words =
        allowed_actions(&fixture.workflow, &fixture.task, actor).into_iter().map(|action| {
            assert!(!action.label.is_empty());
            match action.kind {
                TaskActionKind::Claim => "claim".to_owned(),
                TaskActionKind::Move { to } => format!("move {to}"),
                TaskActionKind::Cancel => "cancel".to_owned(),
                TaskActionKind::Assign { role } => format!("assign {role}"),
                TaskActionKind::HandOff => "hand off".to_owned(),
                TaskActionKind::Steer { .. } => "steer".to_owned(),
                TaskActionKind::Ask => "ask".to_owned(),
                TaskActionKind::Answer { .. } => "answer".to_owned(),
                TaskActionKind::StopRun { .. } => "stop".to_owned(),
                TaskActionKind::Restart { .. } => "restart".to_owned(),
                TaskActionKind::MarkFailed { .. } => "mark failed".to_owned(),
                TaskActionKind::Approve { .. } => "approve".to_owned(),
                TaskActionKind::Reject { .. } => "reject".to_owned(),
                TaskActionKind::Rebase => "rebase".to_owned(),
                TaskActionKind::AcceptLanded => "accept landed".to_owned(),
                TaskActionKind::Revert => "revert".to_owned(),
                TaskActionKind::Regress => "regress".to_owned(),
                TaskActionKind::ResetWorkspace => "reset".to_owned(),
                TaskActionKind::Edit => "edit".to_owned(),
                TaskActionKind::Comment => "comment".to_owned(),
                TaskActionKind::AddDependency => "depend".to_owned(),
                TaskActionKind::Archive => "archive".to_owned(),
                TaskActionKind::Unarchive => "unarchive".to_owned(),
            }
        });
    words.collect()
}

const ROLES: [&str; 3] = ["assign planner", "assign coder", "assign reviewer"];

fn with_roles(first: &[&str], last: &[&str]) -> Vec<String> {
    let all = first.iter().chain(&["cancel"]).chain(&ROLES).chain(&["depend"]).chain(last);
    all.map(|word| (*word).to_owned()).collect()
}

#[test]
fn t_11_a_person_is_offered_what_a_new_task_allows() {
    let mut fixture = TaskFixture::of("default");
    let first = ["claim", "move todo", "move blocked"];
    assert_eq!(offered(&fixture, &person(1)), with_roles(&first, &["comment", "edit", "archive"]));
    fixture.accept(person(1), TaskCommand::Archive);
    let moves = first.get(1..).unwrap_or_default();
    assert_eq!(offered(&fixture, &person(1)), with_roles(moves, &["comment", "edit", "unarchive"]));
}

#[test]
fn t_11_the_pass_is_offered_once_the_gate_has_passed() {
    let mut fixture = TaskFixture::in_review();
    assert!(!offered(&fixture, &person(1)).contains(&"move merging".to_owned()));
    fixture.checks(vec![passed()]);
    assert!(offered(&fixture, &person(1)).contains(&"move merging".to_owned()));
}

#[test]
fn t_11_the_pass_is_offered_to_the_person_who_is_to_judge() {
    let mut fixture = TaskFixture::in_review();
    let reviewer = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_user(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), reviewer);
    fixture.checks(vec![passed()]);
    fixture.prepare();
    assert!(offered(&fixture, &person(2)).contains(&"move merging".to_owned()));
    assert!(!offered(&fixture, &person(1)).contains(&"move merging".to_owned()));
}

#[test]
fn t_11_an_agent_may_finish_its_work_hand_off_and_comment() {
    let fixture = TaskFixture::working();
    let own = agent_actor(1, fixture.execution());
    assert_eq!(offered(&fixture, &own), ["move review", "hand off", "ask", "comment"]);
    let fixture = TaskFixture::in_review();
    let late = agent_actor(1, forge_domain::ExecutionId::new(crate::support::uuid(5)));
    assert_eq!(offered(&fixture, &late), ["comment"]);
}

#[test]
fn t_11_an_ended_task_can_be_commented_edited_and_archived() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!(offered(&fixture, &person(1)), ["comment", "edit", "archive"]);
}

#[test]
fn t_11_offered_actions_are_accepted_for_every_actor_in_every_state() {
    for (template, _) in TEMPLATES {
        for seed in 0..15 {
            let mut dice = SeededRandom::new(seed);
            let mut world = EffectSimulation::new(&mut dice);
            let asked = random_task(&workflow(template), &mut dice);
            let mut fixture = TaskFixture::with(workflow(template), asked);
            for _ in 0..40 {
                if !world.live(&mut fixture, &mut dice) {
                    break;
                }
                check_actions(&fixture, &person(1));
                check_actions(&fixture, &person(2));
                if let Some(run) = &fixture.task.run {
                    check_actions(&fixture, &agent_actor(1, run.execution));
                }
            }
        }
    }
}

/// Forge itself moves tasks by reports; its direct actions are no more than a person's.
#[test]
fn t_11_forge_itself_is_not_offered_actions_of_people() {
    let fixture = TaskFixture::of("default");
    assert_eq!(offered(&fixture, &machine()), ["move todo", "move blocked", "comment"]);
}
