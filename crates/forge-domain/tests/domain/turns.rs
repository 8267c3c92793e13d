//! Turns in another task's workspace (T-17), seen from both sides.

use crate::support::{Desk, by_agent, machine, new_task, person, role, task_id, turn, workflow};
use forge_domain::task::{Activity, AnnotationType, Subtask, Turn};
use forge_domain::{
    AskedSubtask, Command, Effect, Ending, ParentFacts, Refusal, Report, RunResult, TurnFacts,
    part_of,
};

const DONE: Ending = Ending::Exited { code: 0 };

fn waiting(n: u64) -> TurnFacts {
    TurnFacts {
        task: task_id(n),
        key: format!("T-{n}"),
        ended: false,
        at_work: false,
        trouble: None,
    }
}

/// The parent after its own run, with these turns.
fn parent(turns: Vec<TurnFacts>) -> Desk {
    let mut desk = Desk::working();
    desk.facts.turns = turns;
    desk.end_turn(turn(DONE));
    desk
}

/// A turn of a parent that is ready for it.
fn of_ready_parent() -> Desk {
    let mut asked = new_task();
    asked.parent = Some(task_id(1));
    asked.subtask = Some(Subtask::OrderedTurn(Turn::new(1)));
    let mut desk = Desk::with(workflow("ordered-turn"), asked);
    desk.facts.parent = Some(ParentFacts {
        key: forge_domain::task::TaskKey(1),
        open: true,
        working: true,
        coder: Some(by_agent(1)),
        has_workspace: true,
        busy: None,
        before: Vec::new(),
    });
    desk
}

#[test]
fn t_17_the_gate_opens_when_the_last_turn_is_over() {
    let mut desk = parent(vec![waiting(1), waiting(2)]);
    assert_eq!((desk.state(), desk.task.in_turns), ("in_progress", true));
    assert_eq!(*desk.take("begin_turn").effect(), Effect::BeginTurn { turn: task_id(1) });
    desk.facts.turns[0].ended = true;
    desk.report(Report::TurnChanged { ended: true });
    assert_eq!(*desk.take("begin_turn").effect(), Effect::BeginTurn { turn: task_id(2) });
    desk.facts.turns[1].at_work = true;
    desk.report(Report::TurnChanged { ended: true });
    assert!(desk.outstanding().is_empty(), "said twice, begun once");
    desk.facts.turns[1] = TurnFacts { ended: true, ..waiting(2) };
    desk.report(Report::TurnChanged { ended: true });
    assert_eq!((desk.state(), desk.task.holder), ("review", Some(by_agent(1))));
    assert!(!desk.task.in_turns);
    desk.check_replay();
}

#[test]
fn t_17_a_turn_that_a_person_put_back_does_not_begin_by_itself() {
    let mut desk = parent(vec![waiting(1)]);
    desk.take("begin_turn");
    desk.report(Report::TurnChanged { ended: false });
    assert!(desk.outstanding().is_empty());
}

#[test]
fn t_17_a_turn_that_cannot_go_on_is_a_trouble_of_its_parent_until_it_can() {
    let mut desk = parent(vec![waiting(1), waiting(2)]);
    desk.take("begin_turn");
    desk.facts.turns[0].trouble = Some("it broke".to_owned());
    desk.report(Report::TurnChanged { ended: false });
    let trouble = desk.task.annotation.clone().expect("noted");
    assert_eq!(trouble.kind, AnnotationType::TurnStopped);
    assert!(trouble.message.contains("T-1") && trouble.message.contains("it broke"));
    assert!(desk.outstanding().is_empty(), "the later one waits");
    desk.facts.turns[0] = TurnFacts { at_work: true, ..waiting(1) };
    desk.report(Report::TurnChanged { ended: false });
    assert_eq!(desk.task.annotation, None);
}

#[test]
fn t_17_t_12_a_cancelled_parent_waits_for_the_end_of_its_turns_before_it_is_cleaned_up() {
    let mut desk = parent(vec![TurnFacts { at_work: true, ..waiting(1) }, waiting(2)]);
    desk.accept(person(1), Command::Cancel { reason: None });
    assert_eq!(desk.state(), "cancelled");
    assert_eq!(desk.task.activity, Some(Activity::EndingTurns));
    assert!(desk.task.is_settling(), "whoever asked waits for it");
    assert_eq!(desk.outstanding(), ["end_turns"]);
    desk.take("end_turns");
    desk.facts.turns[1].ended = true;
    desk.facts.turns[0].ended = true;
    desk.report(Report::TurnChanged { ended: false });
    assert_eq!(desk.task.activity, Some(Activity::EndingTurns), "it is still being stopped");
    desk.facts.turns[0].at_work = false;
    desk.report(Report::TurnChanged { ended: true });
    assert_eq!(desk.task.activity, None);
    assert_eq!(desk.outstanding(), ["clean_workspace"]);
    desk.report(Report::TurnChanged { ended: true });
    assert_eq!(desk.outstanding(), ["clean_workspace"], "said twice, cleaned once");
}

#[test]
fn t_17_moving_again_while_turns_end_ends_them_for_the_last_move() {
    let mut desk = parent(vec![TurnFacts { at_work: true, ..waiting(1) }]);
    desk.move_to("todo", None);
    assert_eq!(desk.task.activity, Some(Activity::EndingTurns));
    desk.accept(person(1), Command::Cancel { reason: None });
    assert_eq!(desk.outstanding(), ["end_turns"], "once, for where it is now");
}

#[test]
fn t_17_a_turn_begins_for_its_own_agent_or_its_parents() {
    let mut desk = of_ready_parent();
    desk.accept(machine(), Command::BeginTurn);
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_agent(1)));
    let again = desk.accept(machine(), Command::BeginTurn);
    assert!(again.events.is_empty(), "said twice, begun once");
    desk.prepare();
    assert_eq!(desk.task.workspace, None, "it is on the parent's record");
    desk.start();
    let commits = |base: &str, head: &str| RunResult {
        base: Some(base.to_owned()),
        head: Some(head.to_owned()),
        ..turn(DONE)
    };
    desk.end_turn(commits("a", "b"));
    assert_eq!((desk.state(), desk.outstanding()), ("done", vec!["tell_parent"]));
    assert_eq!(desk.task.turn().and_then(Turn::changed), Some(true));

    let mut desk = of_ready_parent();
    let (role, assignee) = (role("coder"), by_agent(2));
    let reset = forge_domain::Reset::Nothing;
    desk.accept(person(1), Command::Assign { role, assignee, reset });
    desk.accept(machine(), Command::BeginTurn);
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(assignee));
}

#[test]
fn t_17_what_a_turn_needs_of_its_parent() {
    type Change = fn(&mut ParentFacts);
    let required: [Change; 3] =
        [|it| it.open = false, |it| it.coder = None, |it| it.has_workspace = false];
    let claim = Command::Claim { claimer: by_agent(2) };
    for change in required {
        let mut desk = of_ready_parent();
        change(desk.facts.parent.as_mut().expect("facts"));
        let refusal = desk.refuse(person(1), claim.clone());
        assert!(matches!(refusal, Refusal::ParentWorkspaceRequired { .. }), "{refusal}");
    }
    let mut desk = of_ready_parent();
    desk.facts.parent.as_mut().expect("facts").before = vec!["T-9".to_owned()];
    assert!(matches!(desk.refuse(person(1), claim.clone()), Refusal::TurnsOpen { .. }));
    let mut desk = of_ready_parent();
    desk.facts.parent.as_mut().expect("facts").busy = Some("its own run");
    assert!(matches!(desk.refuse(person(1), claim), Refusal::WorkspaceLocked { .. }));
}

/// What the engine goes on with by itself cannot be refused: it is parked.
#[test]
fn t_17_a_lost_run_of_a_turn_without_a_place_is_parked() {
    let mut desk = of_ready_parent();
    desk.accept(machine(), Command::BeginTurn);
    desk.prepare();
    desk.start();
    desk.facts.parent.as_mut().expect("facts").has_workspace = false;
    desk.end_turn(turn(Ending::Lost));
    assert_eq!(desk.state(), "blocked");
    let trouble = desk.task.annotation.as_ref().map(|trouble| trouble.kind);
    assert_eq!(trouble, Some(AnnotationType::ParentWorkspaceRequired));
    assert_eq!(desk.outstanding(), ["tell_parent"]);
}

#[test]
fn t_17_a_turn_is_given_up_when_its_parent_moves_on() {
    for (cancel, state) in [(false, "todo"), (true, "cancelled")] {
        let mut desk = of_ready_parent();
        desk.accept(machine(), Command::BeginTurn);
        desk.prepare();
        desk.start();
        desk.accept(machine(), Command::EndTurn { cancel });
        assert_eq!(desk.state(), state);
        assert!(!desk.outstanding().contains(&"tell_parent"), "not before it is stopped");
        desk.stop();
        assert!(desk.outstanding().contains(&"tell_parent"));
        assert!(!desk.task.is_at_work());
    }
}

/// The two tries of a turn are one commit, unless somebody else has committed between them.
#[test]
fn t_17_where_the_commit_of_a_turn_begins() {
    let mut tried = Turn::new(1);
    assert_eq!((tried.changed(), tried.begins_at("a")), (None, "a"));
    (tried.base, tried.head) = (Some("a".to_owned()), Some("b".to_owned()));
    assert_eq!(
        (tried.changed(), tried.begins_at("b"), tried.begins_at("x")),
        (Some(true), "a", "x")
    );
    tried.head = Some("a".to_owned());
    assert_eq!(tried.changed(), Some(false));
}

#[test]
fn t_17_a_task_has_a_bounded_number_of_turns() {
    let mut desk = Desk::working();
    for n in 0..200 {
        desk.accept(person(1), Command::AddTurn { turn: task_id(n) });
    }
    let version = desk.task.version;
    desk.accept(person(1), Command::AddTurn { turn: task_id(1) });
    assert_eq!((desk.task.turns.len(), desk.task.version), (200, version));
    let asked = AskedSubtask::OrderedTurn { order: None };
    let refusal = part_of(&desk.task, Some(7), asked, &mut new_task()).expect_err("too many");
    assert!(refusal.to_string().contains("200"), "{refusal}");
}
