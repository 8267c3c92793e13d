//! The history is the task: replaying it gives the snapshot. Every desk checks each step; this checks whole lives.

use crate::support::{Desk, Dice, World, by_agent, person, random_task, role, workflow};
use forge_domain::workflow::TEMPLATES;
use forge_domain::{Command, Recorded, Reset, replay};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn p_6_a_history_cut_anywhere_gives_the_task_as_it_was_then() {
    let mut kinds = BTreeSet::new();
    for (template, _) in TEMPLATES {
        for seed in 0..25 {
            let mut dice = Dice::new(seed);
            let mut world = World::new(&mut dice);
            let asked = random_task(&workflow(template), &mut dice);
            let mut desk = Desk::with(workflow(template), asked);
            let mut milestones = Vec::new();
            for _ in 0..60 {
                if !world.live(&mut desk, &mut dice) {
                    break;
                }
                milestones.push((desk.recorded.len(), desk.task.clone()));
            }
            for (length, snapshot) in milestones.iter().step_by(7) {
                assert_eq!(replay(&desk.recorded[..*length]).as_ref(), Some(snapshot));
            }
            desk.check_replay();
            kinds.extend(desk.recorded.iter().map(|recorded| recorded.event.kind().0));
        }
    }
    let mut desk = Desk::in_review();
    desk.checks(Vec::new());
    let coder =
        Command::Assign { role: role("coder"), assignee: by_agent(2), reset: Reset::Nothing };
    desk.accept(person(1), coder);
    desk.adopt(person(1), &workflow("autopilot"), &BTreeMap::new())
        .expect("it has the same states");
    desk.check_replay();
    kinds.extend(desk.recorded.iter().map(|recorded| recorded.event.kind().0));
    let mut desk = Desk::working();
    let (execution, message) = (desk.execution(), "use spaces".to_owned());
    desk.accept(person(1), Command::Steer { execution, message, live: true });
    desk.check_replay();
    kinds.extend(desk.recorded.iter().map(|recorded| recorded.event.kind().0));
    let expected = [
        "comment.created",
        "dependency.added",
        "dependency.removed",
        "execution.created",
        "execution.finished",
        "execution.postponed",
        "execution.stalled",
        "execution.started",
        "execution.steered",
        "merge.finished",
        "merge.started",
        "review.checked",
        "review.finished",
        "review.started",
        "step.failed",
        "task.adopted",
        "task.annotated",
        "task.archived",
        "task.assigned",
        "task.created",
        "task.handed_off",
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
fn p_6_a_history_that_does_not_begin_with_the_creation_is_no_task() {
    let mut desk = Desk::of("default");
    desk.move_to("todo", None);
    assert_eq!(replay(&desk.recorded[1..]), None);
    assert_eq!(replay(&[] as &[Recorded]), None);
}
