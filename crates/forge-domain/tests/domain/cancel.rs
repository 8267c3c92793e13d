//! Cancelling tasks (T-12).

use crate::support::{
    EffectSimulation, SeededRandom, TaskFixture, agent_actor, by_agent, check_rest, check_step,
    conflict, dirty, machine, passed, person, random_task, role, turn, workflow,
};
use forge_domain::task::{TaskActivity, WorkspaceStatus};
use forge_domain::workflow::{TEMPLATES, TaskStanding};
use forge_domain::{Effect, EffectReport, ExecutionEnding, Refusal, ResetScope, TaskCommand};
use std::collections::BTreeSet;

const CANCEL: TaskCommand = TaskCommand::Cancel { reason: None };

/// State and activity of a task as text.
fn situation(fixture: &TaskFixture) -> String {
    let activity = match fixture.task.activity {
        None => "nothing",
        Some(TaskActivity::Preparing { .. }) => "preparing",
        Some(TaskActivity::Running { .. }) => "running",
        Some(TaskActivity::Checking { .. }) => "checking",
        Some(TaskActivity::Landing) => "landing",
        Some(TaskActivity::Cleaning) => "cleaning",
        Some(TaskActivity::EndingTurns) => "ending turns",
        Some(TaskActivity::Rebasing) => "rebasing",
        Some(TaskActivity::Reverting) => "reverting",
        Some(TaskActivity::Stopping { .. }) => "stopping",
    };
    let by = match &fixture.task.run {
        Some(run) if run.assignee.user().is_some() => " by a person",
        Some(_) => " by an agent",
        None => "",
    };
    format!("{}: {activity}{by}", fixture.task.state)
}

/// Cancels a copy of the fixture's task and runs it to the end.
fn check_cancel(fixture: &TaskFixture, dice: &mut SeededRandom) {
    let mut fixture = fixture.clone();
    let runs = matches!(
        fixture.task.activity,
        Some(
            TaskActivity::Preparing { .. }
                | TaskActivity::Running { .. }
                | TaskActivity::Checking { .. }
                | TaskActivity::Landing
                | TaskActivity::Stopping { .. }
        )
    );
    let decision = fixture.accept(person(1), CANCEL);
    let cancel = fixture.workflow.cancel();
    assert_eq!(fixture.task.state, *cancel.name());
    assert_eq!(fixture.task.standing, TaskStanding::Ended);
    let stops =
        decision.effects.iter().any(|planned| matches!(planned.effect, Effect::Stop { .. }));
    assert_eq!(stops, runs, "a stop is wanted exactly when something runs");
    if runs {
        let cleans = decision
            .effects
            .iter()
            .any(|planned| matches!(planned.effect, Effect::CleanWorkspace { .. }));
        assert!(!cleans, "nothing is removed under a process that may still write");
    }
    let refusal = fixture.refuse(person(1), CANCEL);
    assert_eq!(refusal, Refusal::TaskTerminal { key: fixture.task.key() });
    EffectSimulation::new(dice).settle(&mut fixture, dice, 500, check_step);
    check_rest(&fixture);
    assert_eq!(fixture.task.state, *cancel.name(), "no late report brings it back");
    assert_eq!((fixture.task.run.clone(), fixture.task.review), (None, None));
}

#[test]
fn t_12_every_task_can_be_cancelled_in_every_state() {
    let mut seen = BTreeSet::new();
    let mut waiting = TaskFixture::landing();
    let visit = waiting.task.visit;
    waiting.report(EffectReport::LandingEnded { visit, result: dirty() });
    let mut judging = TaskFixture::in_review();
    let reviewer = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    judging.accept(person(1), reviewer);
    judging.checks(vec![passed()]);
    judging.prepare();
    judging.start();
    let mut clashing = TaskFixture::landing();
    clashing.land(conflict());
    let mut clashed = clashing.clone();
    clashed.clean();
    for fixture in [waiting, judging, clashing, clashed] {
        seen.insert(format!("default/{}", situation(&fixture)));
        check_cancel(&fixture, &mut SeededRandom::new(0));
    }
    for (template, _) in TEMPLATES {
        let workflow = workflow(template);
        for seed in 0..80 {
            let mut dice = SeededRandom::new(seed);
            let mut world = EffectSimulation::new(&mut dice);
            let mut fixture =
                TaskFixture::with(workflow.clone(), random_task(&workflow, &mut dice));
            for _ in 0..40 {
                if !world.live(&mut fixture, &mut dice) {
                    break;
                }
                let over =
                    matches!(fixture.task.standing, TaskStanding::Succeeded | TaskStanding::Ended);
                if !over && seen.insert(format!("{template}/{}", situation(&fixture))) {
                    check_cancel(&fixture, &mut dice);
                }
            }
        }
    }
    let expected = [
        "backlog: nothing",
        "todo: nothing",
        "todo: stopping by an agent",
        "in_progress: preparing by an agent",
        "in_progress: preparing by a person",
        "in_progress: running by an agent",
        "in_progress: nothing by a person",
        "in_progress: stopping by an agent",
        "in_progress: stopping",
        "planning: running by an agent",
        "review: checking",
        "review: nothing",
        "review: preparing by an agent",
        "review: running by an agent",
        "review: nothing by a person",
        "review: stopping by an agent",
        "merging: landing",
        "merge_failed: cleaning",
        "merge_failed: nothing",
        "blocked: nothing",
        "blocked: stopping by an agent",
    ];
    for situation in expected {
        assert!(
            seen.contains(&format!("default/{situation}")),
            "{situation} is not among {seen:#?}"
        );
    }
}

#[test]
fn t_12_the_process_goes_first_and_the_workspace_a_day_later() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    let decision = fixture
        .accept(person(1), TaskCommand::Cancel { reason: Some("no longer needed".to_owned()) });
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    assert_eq!(fixture.outstanding(), ["stop"], "only the stop says that nothing lives any more");
    let decision = fixture.stop();
    let [clean] = decision.effects.as_slice() else { panic!("{:?}", decision.effects) };
    assert_eq!(clean.effect, Effect::CleanWorkspace { retire_branch: false });
    assert_eq!(clean.not_before, fixture.now().plus_seconds(86_400));
    fixture.clean();
    let status = fixture.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!(status, Some(WorkspaceStatus::Cleaned));
}

/// A workspace that is created after the stop is removed as well.
#[test]
fn t_12_a_workspace_created_after_the_stop_is_removed() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_agent(1));
    fixture.steps[0].stage = crate::support::EffectStage::Begun;
    fixture.accept(person(1), CANCEL);
    fixture.stop();
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    let decision = fixture.prepare();
    assert_eq!(fixture.outstanding(), ["clean_workspace"]);
    assert_eq!(decision.effects[0].not_before, fixture.now().plus_seconds(86_400));
}

#[test]
fn t_12_a_move_to_the_cancel_state_is_a_cancel() {
    let mut fixture = TaskFixture::in_review();
    fixture.move_to("cancelled", Some("enough"));
    assert!(fixture.is_stopping());
    assert_eq!(fixture.task.review, None, "the review is closed");
}

#[test]
fn t_12_only_people_cancel() {
    let mut fixture = TaskFixture::working();
    let own = agent_actor(1, fixture.execution());
    assert_eq!(fixture.refuse(own, CANCEL), Refusal::PeopleOnly("cancel a task"));
    assert_eq!(fixture.refuse(machine(), CANCEL), Refusal::PeopleOnly("cancel a task"));
}
