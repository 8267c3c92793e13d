//! What can be done now, by this caller (T-11).

use crate::support::{
    Desk, Dice, World, agent_actor, by_user, check_actions, machine, passed, person, random_task,
    role, workflow,
};
use forge_domain::workflow::TEMPLATES;
use forge_domain::{ActionKind, Actor, Command, Reset, allowed};

fn offered(desk: &Desk, actor: &Actor) -> Vec<String> {
    let words = allowed(&desk.workflow, &desk.task, actor).into_iter().map(|action| {
        assert!(!action.label.is_empty());
        match action.kind {
            ActionKind::Claim => "claim".to_owned(),
            ActionKind::Move { to } => format!("move {to}"),
            ActionKind::Cancel => "cancel".to_owned(),
            ActionKind::Assign { role } => format!("assign {role}"),
            ActionKind::HandOff => "hand off".to_owned(),
            ActionKind::Steer { .. } => "steer".to_owned(),
            ActionKind::StopRun { .. } => "stop".to_owned(),
            ActionKind::Restart { .. } => "restart".to_owned(),
            ActionKind::MarkFailed { .. } => "mark failed".to_owned(),
            ActionKind::Approve { .. } => "approve".to_owned(),
            ActionKind::Reject { .. } => "reject".to_owned(),
            ActionKind::Rebase => "rebase".to_owned(),
            ActionKind::Revert => "revert".to_owned(),
            ActionKind::Regress => "regress".to_owned(),
            ActionKind::ResetWorkspace => "reset".to_owned(),
            ActionKind::Edit => "edit".to_owned(),
            ActionKind::Comment => "comment".to_owned(),
            ActionKind::AddDependency => "depend".to_owned(),
            ActionKind::Archive => "archive".to_owned(),
            ActionKind::Unarchive => "unarchive".to_owned(),
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
    let mut desk = Desk::of("default");
    let first = ["claim", "move todo", "move blocked"];
    assert_eq!(offered(&desk, &person(1)), with_roles(&first, &["comment", "edit", "archive"]));
    desk.accept(person(1), Command::Archive);
    let moves = first.get(1..).unwrap_or_default();
    assert_eq!(offered(&desk, &person(1)), with_roles(moves, &["comment", "edit", "unarchive"]));
}

#[test]
fn t_11_the_pass_is_offered_once_the_gate_has_passed() {
    let mut desk = Desk::in_review();
    assert!(!offered(&desk, &person(1)).contains(&"move merging".to_owned()));
    desk.checks(vec![passed()]);
    assert!(offered(&desk, &person(1)).contains(&"move merging".to_owned()));
}

#[test]
fn t_11_the_pass_is_offered_to_the_person_who_is_to_judge() {
    let mut desk = Desk::in_review();
    let reviewer =
        Command::Assign { role: role("reviewer"), assignee: by_user(2), reset: Reset::Nothing };
    desk.accept(person(1), reviewer);
    desk.checks(vec![passed()]);
    desk.prepare();
    assert!(offered(&desk, &person(2)).contains(&"move merging".to_owned()));
    assert!(!offered(&desk, &person(1)).contains(&"move merging".to_owned()));
}

#[test]
fn t_11_an_agent_is_offered_to_be_done_and_to_talk() {
    let desk = Desk::working();
    let own = agent_actor(1, desk.execution());
    assert_eq!(offered(&desk, &own), ["move review", "hand off", "comment"]);
    let desk = Desk::in_review();
    let late = agent_actor(1, forge_domain::ExecutionId::new(crate::support::uuid(5)));
    assert_eq!(offered(&desk, &late), ["comment"]);
}

#[test]
fn t_11_an_ended_task_can_be_talked_about_edited_and_archived() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    assert_eq!(offered(&desk, &person(1)), ["comment", "edit", "archive"]);
}

#[test]
fn t_11_what_is_offered_is_what_is_done_for_everybody_everywhere() {
    for (template, _) in TEMPLATES {
        for seed in 0..15 {
            let mut dice = Dice::new(seed);
            let mut world = World::new(&mut dice);
            let asked = random_task(&workflow(template), &mut dice);
            let mut desk = Desk::with(workflow(template), asked);
            for _ in 0..40 {
                if !world.live(&mut desk, &mut dice) {
                    break;
                }
                check_actions(&desk, &person(1));
                check_actions(&desk, &person(2));
                if let Some(run) = &desk.task.run {
                    check_actions(&desk, &agent_actor(1, run.execution));
                }
            }
        }
    }
}

/// Forge itself moves tasks by reports; what it may do by hand is not more than a person may.
#[test]
fn t_11_forge_itself_is_not_offered_what_only_people_may_do() {
    let desk = Desk::of("default");
    assert_eq!(offered(&desk, &machine()), ["move todo", "move blocked", "comment"]);
}
