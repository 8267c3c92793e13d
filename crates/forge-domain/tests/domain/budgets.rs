//! Budgets (E-8): an exhausted budget starts no execution; the task continues when it is raised.

use crate::support::{
    TaskFixture, by_agent, by_user, new_task, passed, person, role, turn, workflow,
};
use forge_domain::task::{AnnotationType, PostponeCause};
use forge_domain::{
    AgentReport, Budget, BudgetFacts, BudgetOwner, EffectReport, ExecutionEnding, ExecutionResult,
    ExhaustedBudget, ReachedLimit, Refusal, ResetScope, TaskCommand, TaskPatch, TokenUsage,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn tokens(limit: u64) -> Budget {
    Budget { tokens: Some(limit), cost_micro_usd: None }
}

fn used(tokens: u64) -> TokenUsage {
    TokenUsage { input_tokens: tokens, ..TokenUsage::default() }
}

fn project_spent() -> BudgetFacts {
    BudgetFacts { of_project: tokens(100), used_by_project: used(120), ..BudgetFacts::default() }
}

fn by_project() -> ExhaustedBudget {
    ExhaustedBudget {
        owner: BudgetOwner::Project,
        spent: ReachedLimit::Tokens { used: 120, limit: 100 },
    }
}

fn raise(budget: Budget) -> TaskCommand {
    TaskCommand::Update(TaskPatch { budget: Some(budget), ..TaskPatch::default() })
}

fn note(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|note| note.kind)
}

#[test]
fn e_8_a_limit_is_reached_by_money_or_by_tokens() {
    let paid = |micro| TokenUsage { cost_micro_usd: Some(micro), ..used(10) };
    let both = Budget { cost_micro_usd: Some(2_500_000), tokens: Some(11) };
    assert_eq!(both.reached_limit(paid(2_499_999)), None);
    let table = [
        (both.reached_limit(paid(2_500_000)), "$2.50 of $2.50"),
        (both.reached_limit(paid(2_512_345)), "$2.5123 of $2.50"),
        (both.reached_limit(TokenUsage { output_tokens: 1, ..used(10) }), "11 of 11 tokens"),
    ];
    for (spent, words) in table {
        assert_eq!(spent.expect("it is reached").to_string(), words);
    }
    assert_eq!(
        Budget::default().reached_limit(paid(u64::MAX)),
        None,
        "nothing named, nothing limited"
    );
    assert!(by_project().to_string().contains("the budget of the project is used up (120 of 100"));
}

#[test]
fn e_8_an_exhausted_budget_refuses_claims_of_agents_only() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    fixture.facts.budget = project_spent();
    let refused = fixture.refuse(person(1), TaskCommand::Claim { claimer: by_agent(1) });
    assert_eq!(refused, Refusal::BudgetExhausted(by_project()));
    fixture.accept(person(1), TaskCommand::Claim { claimer: by_user(1) });
    assert_eq!(fixture.state(), "in_progress");
}

#[test]
fn e_8_a_budget_of_zero_is_refused() {
    let mut fixture = TaskFixture::of("default");
    let refused = fixture.refuse(person(1), raise(tokens(0)));
    assert!(matches!(refused, Refusal::InvalidField { field: "budget", .. }), "{refused}");
}

/// A running execution is not stopped: it ends, and the next one waits. Its own usage counts at once.
#[test]
fn e_8_the_current_execution_ends_and_the_next_one_waits_for_the_budget() {
    let asked = forge_domain::CreateTask { budget: tokens(50), ..new_task() };
    let mut fixture = TaskFixture::with(workflow("default"), asked);
    let planner = TaskCommand::Assign {
        role: role("planner"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), planner);
    fixture.claim(by_agent(1));
    assert_eq!(fixture.state(), "planning");
    let told = AgentReport { usage: Some(used(60)), ..AgentReport::default() };
    fixture.whole_turn(ExecutionResult { told, ..turn(DONE) });
    assert_eq!(fixture.state(), "in_progress", "the plan is made");
    assert_eq!(note(&fixture), Some(AnnotationType::BudgetExhausted));
    assert!(fixture.task.run.is_none() && fixture.task.activity.is_none());
    assert_eq!(fixture.outstanding(), ["await_budget"]);
    let details = fixture.task.annotation.clone().expect("noted").details;
    assert_eq!(
        details["budget"],
        serde_json::json!({ "owner": "task", "unit": "tokens", "used": 60, "limit": 50 })
    );
    fixture.facts.budget.used_by_task = used(60);
    fixture.accept(person(1), raise(tokens(55)));
    assert_eq!(note(&fixture), Some(AnnotationType::BudgetExhausted), "not far enough");
    fixture.accept(person(1), raise(tokens(61)));
    assert_eq!((note(&fixture), fixture.outstanding()), (None, vec!["prepare_workspace"]));
    fixture.whole_turn(turn(DONE));
    assert_eq!(fixture.state(), "review");
}

/// A project's budget is raised elsewhere; a report starts the execution.
#[test]
fn e_8_a_reviewer_waits_for_the_projects_budget_too() {
    let mut fixture = TaskFixture::in_review();
    let assign = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_agent(2),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), assign);
    fixture.facts.budget = project_spent();
    fixture.checks(vec![passed()]);
    let waits = fixture.task.postponed.clone().expect("postponed");
    assert_eq!((waits.cause, waits.agent), (PostponeCause::Budget, by_agent(2).agent().unwrap()));
    fixture.take("await_budget");
    fixture.report(EffectReport::RunDue);
    assert_eq!(fixture.outstanding(), ["await_budget"], "nothing has changed: it waits again");
    fixture.facts.budget = BudgetFacts::default();
    fixture.take("await_budget");
    fixture.report(EffectReport::RunDue);
    assert_eq!((note(&fixture), fixture.outstanding()), (None, vec!["prepare_workspace"]));
}

#[test]
fn e_8_commands_that_start_an_agent_are_refused_with_the_figures() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    fixture.facts.budget = project_spent();
    let agent = by_agent(1).agent().expect("an agent");
    let (session, message) = (Some("s".to_owned()), "more".to_owned());
    let asked = [
        TaskCommand::FollowUp { role: role("coder"), agent, session, message },
        TaskCommand::Restart { execution },
    ];
    for command in asked {
        assert_eq!(fixture.refuse(person(1), command), Refusal::BudgetExhausted(by_project()));
    }
}

#[test]
fn e_8_a_wait_for_a_budget_can_be_stopped_moved_and_restarted() {
    let waiting = || {
        let mut fixture = TaskFixture::working();
        let execution = fixture.execution();
        fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
        fixture.facts.budget = project_spent();
        fixture.move_to("in_progress", None);
        assert_eq!(note(&fixture), Some(AnnotationType::BudgetExhausted));
        fixture.facts.budget = BudgetFacts::default();
        (fixture, execution)
    };
    let (mut fixture, execution) = waiting();
    fixture.accept(person(1), TaskCommand::StopRun { execution, reason: None });
    assert_eq!((note(&fixture), fixture.outstanding()), (Some(AnnotationType::Stopped), vec![]));
    assert!(
        fixture.report(EffectReport::RunDue).events.is_empty(),
        "T-13: nothing goes on by itself"
    );
    let (mut fixture, execution) = waiting();
    fixture.accept(person(1), TaskCommand::Restart { execution });
    assert_eq!((note(&fixture), fixture.outstanding()), (None, vec!["prepare_workspace"]));
    let (mut fixture, _) = waiting();
    fixture.move_to("todo", None);
    assert!(fixture.task.postponed.is_none() && fixture.outstanding().is_empty());
}
