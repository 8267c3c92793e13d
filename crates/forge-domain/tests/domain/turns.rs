//! Ordered turns (T-17), tested for parent and turn.

use crate::support::{
    TaskFixture, by_agent, machine, new_task, person, role, task_id, turn, workflow,
};
use forge_domain::task::{AnnotationType, OrderedTurn, Subtask, TaskActivity};
use forge_domain::{
    Effect, EffectReport, ExecutionEnding, ExecutionResult, ParentFacts, Refusal, SubtaskRequest,
    TaskCommand, TurnFacts, attach_subtask,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn waiting(n: u64) -> TurnFacts {
    TurnFacts {
        task: task_id(n),
        key: format!("T-{n}"),
        has_ended: false,
        is_executing: false,
        stop_reason: None,
    }
}

/// The parent after its own execution, with these turns.
fn parent(turns: Vec<TurnFacts>) -> TaskFixture {
    let mut fixture = TaskFixture::working();
    fixture.facts.turns = turns;
    fixture.end_turn(turn(DONE));
    fixture
}

/// A turn of a parent that is ready for it.
fn of_ready_parent() -> TaskFixture {
    let mut asked = new_task();
    asked.parent = Some(task_id(1));
    asked.subtask = Some(Subtask::OrderedTurn(OrderedTurn::new(1)));
    let mut fixture = TaskFixture::with(workflow("ordered-turn"), asked);
    fixture.facts.parent = Some(ParentFacts {
        key: forge_domain::task::TaskKey(1),
        is_open: true,
        is_working: true,
        holder: Some(by_agent(1)),
        has_workspace: true,
        workspace_user: None,
        earlier_turns: Vec::new(),
    });
    fixture
}

#[test]
fn t_17_the_gate_is_entered_when_the_last_turn_has_ended() {
    let mut fixture = parent(vec![waiting(1), waiting(2)]);
    assert_eq!((fixture.state(), fixture.task.in_turns), ("in_progress", true));
    assert_eq!(*fixture.take("begin_turn").effect(), Effect::BeginTurn { turn: task_id(1) });
    fixture.facts.turns[0].has_ended = true;
    fixture.report(EffectReport::TurnChanged { ended: true });
    assert_eq!(*fixture.take("begin_turn").effect(), Effect::BeginTurn { turn: task_id(2) });
    fixture.facts.turns[1].is_executing = true;
    fixture.report(EffectReport::TurnChanged { ended: true });
    assert!(fixture.outstanding().is_empty(), "said twice, begun once");
    fixture.facts.turns[1] = TurnFacts { has_ended: true, ..waiting(2) };
    fixture.report(EffectReport::TurnChanged { ended: true });
    assert_eq!((fixture.state(), fixture.task.holder), ("review", Some(by_agent(1))));
    assert!(!fixture.task.in_turns);
    fixture.check_replay();
}

#[test]
fn t_17_a_turn_that_a_person_moved_back_does_not_start_by_itself() {
    let mut fixture = parent(vec![waiting(1)]);
    fixture.take("begin_turn");
    fixture.report(EffectReport::TurnChanged { ended: false });
    assert!(fixture.outstanding().is_empty());
}

#[test]
fn t_17_a_stopped_turn_annotates_its_parent_until_it_continues() {
    let mut fixture = parent(vec![waiting(1), waiting(2)]);
    fixture.take("begin_turn");
    fixture.facts.turns[0].stop_reason = Some("it broke".to_owned());
    fixture.report(EffectReport::TurnChanged { ended: false });
    let trouble = fixture.task.annotation.clone().expect("noted");
    assert_eq!(trouble.kind, AnnotationType::TurnStopped);
    assert!(trouble.message.contains("T-1") && trouble.message.contains("it broke"));
    assert!(fixture.outstanding().is_empty(), "the later one waits");
    fixture.facts.turns[0] = TurnFacts { is_executing: true, ..waiting(1) };
    fixture.report(EffectReport::TurnChanged { ended: false });
    assert_eq!(fixture.task.annotation, None);
}

#[test]
fn t_17_t_12_a_cancelled_parent_waits_for_the_end_of_its_turns_before_it_is_cleaned_up() {
    let mut fixture = parent(vec![TurnFacts { is_executing: true, ..waiting(1) }, waiting(2)]);
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!(fixture.state(), "cancelled");
    assert_eq!(fixture.task.activity, Some(TaskActivity::EndingTurns));
    assert!(fixture.task.is_settling(), "the request waits for it");
    assert_eq!(fixture.outstanding(), ["end_turns"]);
    fixture.take("end_turns");
    fixture.facts.turns[1].has_ended = true;
    fixture.facts.turns[0].has_ended = true;
    fixture.report(EffectReport::TurnChanged { ended: false });
    assert_eq!(fixture.task.activity, Some(TaskActivity::EndingTurns), "it is still being stopped");
    fixture.facts.turns[0].is_executing = false;
    fixture.report(EffectReport::TurnChanged { ended: true });
    assert_eq!(fixture.task.activity, None);
    assert_eq!(fixture.outstanding(), ["clean_workspace"]);
    fixture.report(EffectReport::TurnChanged { ended: true });
    assert_eq!(fixture.outstanding(), ["clean_workspace"], "said twice, cleaned once");
}

#[test]
fn t_17_a_second_move_while_turns_end_stops_them_once() {
    let mut fixture = parent(vec![TurnFacts { is_executing: true, ..waiting(1) }]);
    fixture.move_to("todo", None);
    assert_eq!(fixture.task.activity, Some(TaskActivity::EndingTurns));
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!(fixture.outstanding(), ["end_turns"], "once, for where it is now");
}

#[test]
fn t_17_a_turn_starts_with_its_own_agent_or_its_parents() {
    let mut fixture = of_ready_parent();
    fixture.accept(machine(), TaskCommand::BeginTurn);
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(1)));
    let again = fixture.accept(machine(), TaskCommand::BeginTurn);
    assert!(again.events.is_empty(), "said twice, begun once");
    fixture.prepare();
    assert_eq!(fixture.task.workspace, None, "it is on the parent's record");
    fixture.start();
    let commits = |base: &str, head: &str| ExecutionResult {
        base: Some(base.to_owned()),
        head: Some(head.to_owned()),
        ..turn(DONE)
    };
    fixture.end_turn(commits("a", "b"));
    assert_eq!((fixture.state(), fixture.outstanding()), ("done", vec!["tell_parent"]));
    assert_eq!(fixture.task.turn().and_then(OrderedTurn::has_changes), Some(true));

    let mut fixture = of_ready_parent();
    let (role, assignee) = (role("coder"), by_agent(2));
    let reset = forge_domain::ResetScope::Nothing;
    fixture.accept(person(1), TaskCommand::Assign { role, assignee, reset });
    fixture.accept(machine(), TaskCommand::BeginTurn);
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(assignee));
}

#[test]
fn t_17_a_turn_is_refused_without_its_parents_conditions() {
    type Change = fn(&mut ParentFacts);
    let required: [Change; 3] =
        [|it| it.is_open = false, |it| it.holder = None, |it| it.has_workspace = false];
    let claim = TaskCommand::Claim { claimer: by_agent(2) };
    for change in required {
        let mut fixture = of_ready_parent();
        change(fixture.facts.parent.as_mut().expect("facts"));
        let refusal = fixture.refuse(person(1), claim.clone());
        assert!(matches!(refusal, Refusal::ParentWorkspaceRequired { .. }), "{refusal}");
    }
    let mut fixture = of_ready_parent();
    fixture.facts.parent.as_mut().expect("facts").earlier_turns = vec!["T-9".to_owned()];
    assert!(matches!(fixture.refuse(person(1), claim.clone()), Refusal::TurnsOpen { .. }));
    let mut fixture = of_ready_parent();
    fixture.facts.parent.as_mut().expect("facts").workspace_user = Some("its own run");
    assert!(matches!(fixture.refuse(person(1), claim), Refusal::WorkspaceLocked { .. }));
}

/// A step of the engine itself cannot be refused, so the turn is parked.
#[test]
fn t_17_a_lost_execution_of_a_turn_without_a_workspace_is_parked() {
    let mut fixture = of_ready_parent();
    fixture.accept(machine(), TaskCommand::BeginTurn);
    fixture.prepare();
    fixture.start();
    fixture.facts.parent.as_mut().expect("facts").has_workspace = false;
    fixture.end_turn(turn(ExecutionEnding::Lost));
    assert_eq!(fixture.state(), "blocked");
    let trouble = fixture.task.annotation.as_ref().map(|trouble| trouble.kind);
    assert_eq!(trouble, Some(AnnotationType::ParentWorkspaceRequired));
    assert_eq!(fixture.outstanding(), ["tell_parent"]);
}

#[test]
fn t_17_a_turn_is_stopped_when_its_parent_moves_on() {
    for (cancel, state) in [(false, "todo"), (true, "cancelled")] {
        let mut fixture = of_ready_parent();
        fixture.accept(machine(), TaskCommand::BeginTurn);
        fixture.prepare();
        fixture.start();
        fixture.accept(machine(), TaskCommand::EndTurn { cancel });
        assert_eq!(fixture.state(), state);
        assert!(!fixture.outstanding().contains(&"tell_parent"), "not before it is stopped");
        fixture.stop();
        assert!(fixture.outstanding().contains(&"tell_parent"));
        assert!(!fixture.task.is_executing());
    }
}

/// Two executions of a turn give one commit, unless another commit was made between them.
#[test]
fn t_17_the_base_of_a_turns_commit() {
    let mut tried = OrderedTurn::new(1);
    assert_eq!((tried.has_changes(), tried.commit_base("a")), (None, "a"));
    (tried.base, tried.head) = (Some("a".to_owned()), Some("b".to_owned()));
    assert_eq!(
        (tried.has_changes(), tried.commit_base("b"), tried.commit_base("x")),
        (Some(true), "a", "x")
    );
    tried.head = Some("a".to_owned());
    assert_eq!(tried.has_changes(), Some(false));
}

#[test]
fn t_17_a_task_has_a_bounded_number_of_turns() {
    let mut fixture = TaskFixture::working();
    for n in 0..200 {
        fixture.accept(person(1), TaskCommand::AddTurn { turn: task_id(n) });
    }
    let version = fixture.task.version;
    fixture.accept(person(1), TaskCommand::AddTurn { turn: task_id(1) });
    assert_eq!((fixture.task.turns.len(), fixture.task.version), (200, version));
    let asked = SubtaskRequest::OrderedTurn { order: None };
    let refusal =
        attach_subtask(&fixture.task, Some(7), asked, &mut new_task()).expect_err("too many");
    assert!(refusal.to_string().contains("200"), "{refusal}");
}

/// Neither dispatch nor the parent would find another agent for it, so it is parked.
#[test]
fn issue_13_15_t_20_an_ordered_turn_that_its_agent_hands_off_is_parked() {
    let mut fixture = of_ready_parent();
    fixture.accept(machine(), TaskCommand::BeginTurn);
    fixture.prepare();
    fixture.start();
    let own = crate::support::agent_actor(1, fixture.execution());
    fixture.accept(own, TaskCommand::HandOff { message: "needs another parser".to_owned() });
    let annotation = fixture.task.annotation.clone().expect("it says why");
    assert_eq!(annotation.kind, AnnotationType::HandedOff);
    assert_eq!(annotation.details["notes"][0]["message"], "needs another parser");
    assert!(!fixture.task.claimable, "{}", fixture.state());
}
