//! Calling off (T-12).

use crate::support::{
    Desk, Dice, World, agent_actor, by_agent, check_rest, check_step, conflict, dirty, machine,
    passed, person, random_task, role, turn, workflow,
};
use forge_domain::task::{Activity, WorkspaceStatus};
use forge_domain::workflow::{Standing, TEMPLATES};
use forge_domain::{Command, Effect, Ending, Refusal, Report, Reset};
use std::collections::BTreeSet;

const CANCEL: Command = Command::Cancel { reason: None };

/// Where a task is and what is done for it, in words.
fn situation(desk: &Desk) -> String {
    let activity = match desk.task.activity {
        None => "nothing",
        Some(Activity::Preparing { .. }) => "preparing",
        Some(Activity::Running { .. }) => "running",
        Some(Activity::Checking { .. }) => "checking",
        Some(Activity::Landing) => "landing",
        Some(Activity::Cleaning) => "cleaning",
        Some(Activity::EndingTurns) => "ending turns",
        Some(Activity::Rebasing) => "rebasing",
        Some(Activity::Reverting) => "reverting",
        Some(Activity::Stopping { .. }) => "stopping",
    };
    let by = match &desk.task.run {
        Some(run) if run.assignee.user().is_some() => " by a person",
        Some(_) => " by an agent",
        None => "",
    };
    format!("{}: {activity}{by}", desk.task.state)
}

/// Cancels a copy of the desk and follows it to the end.
fn check_cancel(desk: &Desk, dice: &mut Dice) {
    let mut desk = desk.clone();
    let runs = matches!(
        desk.task.activity,
        Some(
            Activity::Preparing { .. }
                | Activity::Running { .. }
                | Activity::Checking { .. }
                | Activity::Landing
                | Activity::Stopping { .. }
        )
    );
    let decision = desk.accept(person(1), CANCEL);
    let cancel = desk.workflow.cancel();
    assert_eq!(desk.task.state, *cancel.name());
    assert_eq!(desk.task.standing, Standing::Ended);
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
    let refusal = desk.refuse(person(1), CANCEL);
    assert_eq!(refusal, Refusal::TaskTerminal { key: desk.task.key() });
    World::new(dice).settle(&mut desk, dice, 500, check_step);
    check_rest(&desk);
    assert_eq!(desk.task.state, *cancel.name(), "no late report brings it back");
    assert_eq!((desk.task.run.clone(), desk.task.review), (None, None));
}

#[test]
fn t_12_every_task_can_be_cancelled_in_every_situation() {
    let mut seen = BTreeSet::new();
    let mut waiting = Desk::landing();
    let visit = waiting.task.visit;
    waiting.report(Report::LandingEnded { visit, result: dirty() });
    let mut judging = Desk::in_review();
    let reviewer =
        Command::Assign { role: role("reviewer"), assignee: by_agent(2), reset: Reset::Nothing };
    judging.accept(person(1), reviewer);
    judging.checks(vec![passed()]);
    judging.prepare();
    judging.start();
    let mut clashing = Desk::landing();
    clashing.land(conflict());
    let mut clashed = clashing.clone();
    clashed.clean();
    for desk in [waiting, judging, clashing, clashed] {
        seen.insert(format!("default/{}", situation(&desk)));
        check_cancel(&desk, &mut Dice::new(0));
    }
    for (template, _) in TEMPLATES {
        let workflow = workflow(template);
        for seed in 0..80 {
            let mut dice = Dice::new(seed);
            let mut world = World::new(&mut dice);
            let mut desk = Desk::with(workflow.clone(), random_task(&workflow, &mut dice));
            for _ in 0..40 {
                if !world.live(&mut desk, &mut dice) {
                    break;
                }
                let over = matches!(desk.task.standing, Standing::Succeeded | Standing::Ended);
                if !over && seen.insert(format!("{template}/{}", situation(&desk))) {
                    check_cancel(&desk, &mut dice);
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
    let mut desk = Desk::working();
    let execution = desk.execution();
    let decision =
        desk.accept(person(1), Command::Cancel { reason: Some("no longer needed".to_owned()) });
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    desk.end_turn(turn(Ending::Stopped));
    assert_eq!(desk.outstanding(), ["stop"], "only the stop says that nothing lives any more");
    let decision = desk.stop();
    let [clean] = decision.effects.as_slice() else { panic!("{:?}", decision.effects) };
    assert_eq!(clean.effect, Effect::CleanWorkspace { retire_branch: false });
    assert_eq!(clean.not_before, desk.now().plus_seconds(86_400));
    desk.clean();
    let status = desk.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!(status, Some(WorkspaceStatus::Cleaned));
}

/// The workspace came into being after the stop was through: it is cleaned up all the same.
#[test]
fn t_12_a_workspace_that_is_made_too_late_is_not_left_over() {
    let mut desk = Desk::of("default");
    desk.claim(by_agent(1));
    desk.steps[0].stage = crate::support::Stage::Begun;
    desk.accept(person(1), CANCEL);
    desk.stop();
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
    let decision = desk.prepare();
    assert_eq!(desk.outstanding(), ["clean_workspace"]);
    assert_eq!(decision.effects[0].not_before, desk.now().plus_seconds(86_400));
}

#[test]
fn t_12_a_move_to_the_cancel_state_is_a_cancel() {
    let mut desk = Desk::in_review();
    desk.move_to("cancelled", Some("enough"));
    assert!(desk.is_stopping());
    assert_eq!(desk.task.review, None, "the review is closed");
}

#[test]
fn t_12_only_people_cancel() {
    let mut desk = Desk::working();
    let own = agent_actor(1, desk.execution());
    assert_eq!(desk.refuse(own, CANCEL), Refusal::PeopleOnly("cancel a task"));
    assert_eq!(desk.refuse(machine(), CANCEL), Refusal::PeopleOnly("cancel a task"));
}
