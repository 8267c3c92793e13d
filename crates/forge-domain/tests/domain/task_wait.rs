//! What a task waits for in every state, and the next steps (issue 13.19, T-28).

use crate::support::{
    TaskFixture, by_agent, by_user, conflict, dirty, failed, merged, passed, person, role, turn,
    workspace,
};
use forge_domain::task::AnnotationType;
use forge_domain::{
    EffectReport, ExecutionEnding, NextStep, PersonReason, ResetScope, TaskActionKind, TaskCommand,
    TaskCommandLines, TaskWait, WaitTarget, allowed_actions,
};

fn wait(fixture: &TaskFixture) -> TaskWait {
    TaskWait::of(&fixture.workflow, &fixture.task)
}

fn commands(fixture: &TaskFixture) -> Vec<String> {
    let commands = TaskCommandLines::new(&fixture.task);
    let steps =
        NextStep::of(&fixture.workflow, &fixture.task, &wait(fixture), &person(1), commands);
    steps.into_iter().map(|step| step.command).collect()
}

fn assert_waits(fixture: &TaskFixture, waits_for: WaitTarget, reason: Option<&str>, first: &str) {
    let wait = wait(fixture);
    assert_eq!(wait.waits_for, waits_for, "{wait:?}");
    assert_eq!(wait.person.map(PersonReason::code).as_deref(), reason, "{wait:?}");
    assert!(!wait.message.is_empty(), "{wait:?}");
    let found = commands(fixture);
    assert_eq!(found.first().map_or("", String::as_str), first, "{found:?}");
}

#[test]
fn issue_13_19_every_state_has_a_wait_and_next_commands() {
    let mut fixture = TaskFixture::of("default");
    assert_waits(&fixture, WaitTarget::Queueing, None, "forge task move T-12 todo");
    fixture.move_to("todo", None);
    assert_waits(&fixture, WaitTarget::Agent, None, "forge task claim T-12 --agent NAME");
    fixture.claim(by_agent(1));
    assert_waits(&fixture, WaitTarget::Server, None, "forge workspace setup T-12");
    fixture.prepare();
    fixture.start();
    assert_waits(&fixture, WaitTarget::Execution, None, "forge task log T-12 -f");
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_waits(&fixture, WaitTarget::Checks, None, "forge task review T-12 --log -f");
    fixture.checks(vec![passed()]);
    assert_waits(
        &fixture,
        WaitTarget::Person,
        Some("review_passed"),
        "forge task move T-12 merging",
    );
    assert!(commands(&fixture).contains(&"forge task reject T-12 --reason TEXT".to_owned()));
    fixture.move_to("merging", None);
    assert_waits(&fixture, WaitTarget::Landing, None, "forge train status");
    let visit = fixture.task.visit;
    fixture.report(EffectReport::LandingEnded { visit, result: dirty() });
    let reason = Some("target_checkout_dirty");
    assert_waits(&fixture, WaitTarget::Person, reason, "git -C home status");
    assert_eq!(wait(&fixture).files, ["src/a.rs"]);
    fixture.land(merged());
    fixture.clean();
    assert_waits(&fixture, WaitTarget::Nothing, None, "");
}

#[test]
fn issue_13_19_problems_wait_for_a_person_with_next_steps() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    assert_waits(&fixture, WaitTarget::Person, Some("execution_failed"), "forge task log T-12");
    assert!(commands(&fixture).contains(&"forge task restart T-12".to_owned()));

    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    assert_waits(&fixture, WaitTarget::Person, Some("merge_conflict"), "forge task rebase T-12");
    assert_eq!(wait(&fixture).files, ["src/a.rs"]);

    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.accept(person(1), TaskCommand::StopRun { execution, reason: None });
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert_waits(&fixture, WaitTarget::Person, Some("stopped"), "forge task restart T-12");

    let mut fixture = TaskFixture::of("default");
    fixture.move_to("blocked", Some("not now"));
    assert_eq!(wait(&fixture).message, "not now");
    assert_eq!(wait(&fixture).person, Some(PersonReason::Trouble(AnnotationType::Parked)));
    assert!(!commands(&fixture).is_empty());

    fixture.accept(person(1), TaskCommand::Archive);
    assert_waits(&fixture, WaitTarget::Nothing, None, "forge task unarchive T-12");
}

#[test]
fn issue_13_19_a_change_of_git_settings_names_the_repository() {
    let mut fixture = TaskFixture::in_review();
    let (visit, details) = (fixture.task.visit, serde_json::json!({ "repository": "widget" }));
    fixture.take("run_checks");
    let trouble = AnnotationType::RepositoryConfigChanged;
    let message = "git's settings changed".to_owned();
    fixture.report(EffectReport::EffectFailed { visit, trouble, message, details });
    let reason = Some("repository_config_changed");
    assert_waits(&fixture, WaitTarget::Person, reason, "forge repo config --repo widget");
    assert!(commands(&fixture).contains(&"forge repo accept-config --repo widget".to_owned()));
}

#[test]
fn issue_13_19_a_gate_that_sent_the_work_back_waits_for_no_person() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![failed()]);
    assert_eq!(wait(&fixture).person, None, "its coder is at it again");
}

#[test]
fn issue_13_19_a_reviewing_person_is_waited_for_and_a_working_one_is_not() {
    let mut fixture = TaskFixture::in_review();
    let reviewer = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_user(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), reviewer);
    fixture.checks(vec![passed()]);
    fixture.prepare();
    assert_waits(&fixture, WaitTarget::Person, Some("verdict"), "forge task approve T-12");

    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_user(1));
    fixture.prepare();
    assert_waits(&fixture, WaitTarget::Execution, None, "forge task move T-12 review");

    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    let coder = TaskCommand::Assign {
        role: role("coder"),
        assignee: by_user(1),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), coder);
    assert_waits(&fixture, WaitTarget::Person, Some("claim"), "forge task claim T-12");
}

#[test]
fn issue_13_19_a_default_reviewer_judges_tasks_without_a_reviewer() {
    let mut fixture = TaskFixture::in_review();
    fixture.facts.default_reviewer = Some(by_agent(7));
    fixture.checks(vec![passed()]);
    let run = fixture.task.run.as_ref().expect("a judge");
    assert_eq!((run.assignee, run.role.as_str()), (by_agent(7), "reviewer"));
    assert_eq!(fixture.task.roles.get(&role("reviewer")), Some(&by_agent(7)), "it is on record");

    let mut fixture = TaskFixture::in_review();
    fixture.facts.default_reviewer = Some(by_agent(7));
    let own = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), own);
    fixture.checks(vec![passed()]);
    assert_eq!(
        fixture.task.run.as_ref().expect("a judge").assignee,
        by_agent(2),
        "its own goes first"
    );

    let mut fixture = TaskFixture::in_review();
    fixture.facts.default_reviewer = Some(by_agent(7));
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.task.roles.get(&role("reviewer")), None, "red checks need no reviewer");
}

#[test]
fn issue_13_22_an_attempt_whose_work_was_reset_cannot_be_approved() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![passed()]);
    let offers = |fixture: &TaskFixture| {
        let actions = allowed_actions(&fixture.workflow, &fixture.task, &person(1));
        actions.iter().any(|action| matches!(action.kind, TaskActionKind::Approve { .. }))
    };
    assert!(offers(&fixture));
    fixture.accept(person(1), TaskCommand::ResetWorkspace);
    fixture.take("reset_workspace");
    let renewed = EffectReport::WorkspaceRenewed { workspace: workspace("base"), warnings: vec![] };
    fixture.report(renewed);
    assert!(!offers(&fixture), "the attempt's work is not on the branch any more");
    let attempt = fixture.task.attempts;
    fixture.refuse(person(1), TaskCommand::Approve { attempt, reason: Some("please".to_owned()) });
}

#[test]
fn t_28_commands_name_the_project_and_quote_shell_words() {
    let fixture = TaskFixture::of("default");
    let commands = TaskCommandLines::new(&fixture.task).in_project("my board");
    let to = forge_domain::workflow::StateName::new("it's ready");
    let found = commands.of_action(&TaskActionKind::Move { to });
    assert_eq!(found.as_deref(), Some(r"forge task move T-12 'it'\''s ready' -p 'my board'"));
}
