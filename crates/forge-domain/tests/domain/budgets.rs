//! Budgets (E-8): what is used up begins no further run, and goes on by itself when it is raised.

use crate::support::{Desk, by_agent, by_user, new_task, passed, person, role, turn, workflow};
use forge_domain::task::{AnnotationType, FollowUp, Postponement};
use forge_domain::{
    Budget, BudgetFacts, BudgetOwner, Command, Ending, Overspent, Refusal, Report, Reset,
    RunResult, Spent, TaskPatch, TokenUsage, Told,
};

const DONE: Ending = Ending::Exited { code: 0 };

fn tokens(limit: u64) -> Budget {
    Budget { tokens: Some(limit), cost_micro_usd: None }
}

fn used(tokens: u64) -> TokenUsage {
    TokenUsage { input_tokens: tokens, ..TokenUsage::default() }
}

fn project_spent() -> BudgetFacts {
    BudgetFacts { of_project: tokens(100), used_by_project: used(120), ..BudgetFacts::default() }
}

fn by_project() -> Overspent {
    Overspent { owner: BudgetOwner::Project, spent: Spent::Tokens { used: 120, limit: 100 } }
}

fn raise(budget: Budget) -> Command {
    Command::Update(TaskPatch { budget: Some(budget), ..TaskPatch::default() })
}

fn note(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|note| note.kind)
}

#[test]
fn e_8_a_limit_is_reached_by_money_or_by_tokens() {
    let paid = |micro| TokenUsage { cost_micro_usd: Some(micro), ..used(10) };
    let both = Budget { cost_micro_usd: Some(2_500_000), tokens: Some(11) };
    assert_eq!(both.spent(paid(2_499_999)), None);
    let table = [
        (both.spent(paid(2_500_000)), "$2.50 of $2.50"),
        (both.spent(paid(2_512_345)), "$2.5123 of $2.50"),
        (both.spent(TokenUsage { output_tokens: 1, ..used(10) }), "11 of 11 tokens"),
    ];
    for (spent, words) in table {
        assert_eq!(spent.expect("it is reached").to_string(), words);
    }
    assert_eq!(Budget::default().spent(paid(u64::MAX)), None, "nothing named, nothing limited");
    assert!(by_project().to_string().contains("the budget of the project is used up (120 of 100"));
}

#[test]
fn e_8_a_spent_budget_refuses_claims_of_agents_and_of_nobody_else() {
    let mut desk = Desk::of("default");
    desk.move_to("todo", None);
    desk.facts.budget = project_spent();
    let refused = desk.refuse(person(1), Command::Claim { claimer: by_agent(1) });
    assert_eq!(refused, Refusal::BudgetExhausted(by_project()));
    desk.accept(person(1), Command::Claim { claimer: by_user(1) });
    assert_eq!(desk.state(), "in_progress");
}

#[test]
fn e_8_a_budget_of_nothing_is_refused() {
    let mut desk = Desk::of("default");
    let refused = desk.refuse(person(1), raise(tokens(0)));
    assert!(matches!(refused, Refusal::InvalidField { field: "budget", .. }), "{refused}");
}

/// What runs is not killed: it ends, and what would follow waits. What it used itself counts at once.
#[test]
fn e_8_the_run_under_way_ends_and_the_next_one_waits_until_the_budget_is_raised() {
    let asked = forge_domain::Create { budget: tokens(50), ..new_task() };
    let mut desk = Desk::with(workflow("default"), asked);
    let planner =
        Command::Assign { role: role("planner"), assignee: by_agent(2), reset: Reset::Nothing };
    desk.accept(person(1), planner);
    desk.claim(by_agent(1));
    assert_eq!(desk.state(), "planning");
    let told = Told { usage: Some(used(60)), ..Told::default() };
    desk.whole_turn(RunResult { told, ..turn(DONE) });
    assert_eq!(desk.state(), "in_progress", "the plan is made");
    assert_eq!(note(&desk), Some(AnnotationType::BudgetExhausted));
    assert!(desk.task.run.is_none() && desk.task.activity.is_none());
    assert_eq!(desk.outstanding(), ["await_budget"]);
    let details = desk.task.annotation.clone().expect("noted").details;
    assert_eq!(
        details["budget"],
        serde_json::json!({ "owner": "task", "unit": "tokens", "used": 60, "limit": 50 })
    );
    desk.facts.budget.used_by_task = used(60);
    desk.accept(person(1), raise(tokens(55)));
    assert_eq!(note(&desk), Some(AnnotationType::BudgetExhausted), "not far enough");
    desk.accept(person(1), raise(tokens(61)));
    assert_eq!((note(&desk), desk.outstanding()), (None, vec!["prepare_workspace"]));
    desk.whole_turn(turn(DONE));
    assert_eq!(desk.state(), "review");
}

/// A project's budget is raised elsewhere; the task is told that its time has come.
#[test]
fn e_8_a_reviewer_waits_for_the_projects_budget_too() {
    let mut desk = Desk::in_review();
    let assign =
        Command::Assign { role: role("reviewer"), assignee: by_agent(2), reset: Reset::Nothing };
    desk.accept(person(1), assign);
    desk.facts.budget = project_spent();
    desk.checks(vec![passed()]);
    let waits = desk.task.postponed.clone().expect("postponed");
    assert_eq!((waits.cause, waits.agent), (Postponement::Budget, by_agent(2).agent().unwrap()));
    desk.take("await_budget");
    desk.report(Report::RunDue);
    assert_eq!(desk.outstanding(), ["await_budget"], "nothing has changed: it waits again");
    desk.facts.budget = BudgetFacts::default();
    desk.take("await_budget");
    desk.report(Report::RunDue);
    assert_eq!((note(&desk), desk.outstanding()), (None, vec!["prepare_workspace"]));
}

#[test]
fn e_8_what_people_ask_of_agents_is_refused_with_the_figures() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    desk.facts.budget = project_spent();
    let agent = by_agent(1).agent().expect("an agent");
    let follow_up = FollowUp { session: "s".to_owned(), message: "more".to_owned() };
    let asked = [
        Command::FollowUp { role: role("coder"), agent, follow_up },
        Command::Restart { execution },
    ];
    for command in asked {
        assert_eq!(desk.refuse(person(1), command), Refusal::BudgetExhausted(by_project()));
    }
}

#[test]
fn e_8_a_wait_for_money_can_be_stopped_moved_and_begun_anew() {
    let waiting = || {
        let mut desk = Desk::working();
        let execution = desk.execution();
        desk.end_turn(turn(Ending::Exited { code: 3 }));
        desk.facts.budget = project_spent();
        desk.move_to("in_progress", None);
        assert_eq!(note(&desk), Some(AnnotationType::BudgetExhausted));
        desk.facts.budget = BudgetFacts::default();
        (desk, execution)
    };
    let (mut desk, execution) = waiting();
    desk.accept(person(1), Command::StopRun { execution, reason: None });
    assert_eq!((note(&desk), desk.outstanding()), (Some(AnnotationType::Stopped), vec![]));
    assert!(desk.report(Report::RunDue).events.is_empty(), "T-13: nothing goes on by itself");
    let (mut desk, execution) = waiting();
    desk.accept(person(1), Command::Restart { execution });
    assert_eq!((note(&desk), desk.outstanding()), (None, vec!["prepare_workspace"]));
    let (mut desk, _) = waiting();
    desk.move_to("todo", None);
    assert!(desk.task.postponed.is_none() && desk.outstanding().is_empty());
}
