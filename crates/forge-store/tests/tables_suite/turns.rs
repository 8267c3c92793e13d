//! Reports of executions: usage (E-8), quotas (E-9), and execution tokens (E-3).

use std::sync::Arc;

use forge_domain::task::TaskSnapshot;
use forge_domain::{
    AgentFailure, AgentId, AgentReport, Assignee, Budget, Decision, ExecutionEnding,
    ExecutionResult, FailureClass, RecordedEvent, TaskEvent, TokenUsage,
};
use forge_store::tables::agents::{self, AgentRow};
use forge_store::tables::{agent_waits, budgets, execution_tokens, executions, usage};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};
use crate::projection::run;

fn agent() -> AgentRow {
    AgentRow {
        id: AgentId::new(id(77)),
        name: "ada".to_owned(),
        executor: serde_json::json!({}),
        roles: vec![],
        paused: false,
        max_concurrent: 9,
        ephemeral: false,
        fallback: None,
        project_id: None,
        version: 1,
        created_at: at(1),
        updated_at: at(1),
        removed_at: None,
    }
}

async fn with_agent(database: &TestDatabase) -> TestBoard {
    let board = TestBoard::open(database).await;
    let (db, agent) = (&board.db, agent());
    commit!(db, (agent), |tx| agents::insert(tx, &agent));
    board
}

async fn end(board: &TestBoard, task: &TaskSnapshot, told: AgentReport, code: i32) {
    let execution = task.run.as_ref().expect("a run").execution;
    let result =
        ExecutionResult { told, ..ExecutionResult::without_work(ExecutionEnding::Exited { code }) };
    let event = TaskEvent::ExecutionFinished { execution, result };
    let events = vec![RecordedEvent { event, at: at(9), version: 1 }];
    let snapshot = TaskSnapshot { run: None, ..task.clone() };
    board.commit(&Decision { snapshot, events, effects: vec![], supersedes: false }, 9).await;
}

fn used(tokens: u64, cost: Option<u64>) -> AgentReport {
    let usage = TokenUsage {
        input_tokens: tokens,
        cached_tokens: tokens / 2,
        output_tokens: 1,
        cost_micro_usd: cost,
    };
    AgentReport { session: Some("s-1".to_owned()), usage: Some(usage), ..AgentReport::default() }
}

both_databases! {
    /// E-8: usage is summed by task, agent and project; an execution without a report counts as nothing.
    async fn e_8_usage_is_summed(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let ada = agent().id;
        let assignee = Assignee::Agent { id: ada };
        let first = run(&board, assignee).await;
        end(&board, &first, used(1000, Some(5)), 0).await;
        let second = run(&board, assignee).await;
        end(&board, &second, used(10, None), 1).await;
        let third = run(&board, assignee).await;
        end(&board, &third, AgentReport::default(), 0).await;
        let whole = usage::of_project(&board.db, board.project).await.unwrap();
        assert_eq!(whole.executions, 2);
        assert_eq!(whole.usage, TokenUsage { input_tokens: 1010, cached_tokens: 505, output_tokens: 2, cost_micro_usd: Some(5) });
        assert_eq!(usage::of_agent(&board.db, ada, None).await.unwrap(), whole);
        let stranger = forge_domain::UserId::new(id(5));
        assert_eq!(usage::of_agent(&board.db, ada, Some(stranger)).await.unwrap(), usage::UsageTotals::default());
        let one = usage::of_task(&board.db, second.id).await.unwrap();
        assert_eq!((one.executions, one.usage.input_tokens, one.usage.cost_micro_usd), (1, 10, None));
        assert_eq!(usage::of_session(&board.db, first.id, "s-1").await.unwrap().usage.input_tokens, 1000);
        let row = executions::list_of_task(&board.db, first.id).await.unwrap();
        assert_eq!(row[0].session.as_deref(), Some("s-1"));
    }

    /// E-8: a project's budget is used up when its sums reach it, and not before.
    async fn e_8_a_projects_budget_is_compared_with_its_sums(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let (db, project) = (&board.db, board.project);
        let task = run(&board, Assignee::Agent { id: agent().id }).await;
        end(&board, &task, used(1000, Some(5)), 0).await;
        let table = [
            (Budget { tokens: Some(1002), ..Budget::default() }, false),
            (Budget { tokens: Some(1001), ..Budget::default() }, true),
            (Budget { cost_micro_usd: Some(5), ..Budget::default() }, true),
            (Budget { cost_micro_usd: Some(6), tokens: None }, false),
            (Budget::default(), false),
        ];
        for (budget, spent) in table {
            commit!(db, (), |tx| budgets::put(tx, project, &budget));
            assert_eq!(budgets::load(db, project).await.unwrap(), budget);
            let expected: &[_] = if spent { &[project] } else { &[] };
            assert_eq!(budgets::list_exhausted(db).await.unwrap(), expected, "{budget:?}");
        }
    }

    /// E-9: an exhausted quota makes the agent wait, and an execution that ends well ends the wait.
    async fn e_9_an_agent_waits_until_its_quota_is_back(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let ada = agent().id;
        let failure = AgentFailure { class: FailureClass::Quota, message: String::new(), until: Some(at(5000)) };
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, AgentReport { failure: Some(failure), ..AgentReport::default() }, 1).await;
        let waits = agent_waits::list_waits(&board.db, at(100)).await.unwrap();
        let cause = agent_waits::WaitCause::Quota { until: at(5000) };
        assert_eq!(waits, [agent_waits::AgentWaitRow { agent_id: ada, cause, message: String::new() }]);
        assert_eq!(agent_waits::list_waits(&board.db, at(5000)).await.unwrap(), []);
        assert_eq!(agent_waits::next_wait_end(&board.db, at(100)).await.unwrap(), Some(at(5000)));
        assert_eq!(agent_waits::next_wait_end(&board.db, at(5000)).await.unwrap(), None);
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, AgentReport::default(), 0).await;
        assert_eq!(agent_waits::list_waits(&board.db, at(100)).await.unwrap(), []);
    }

    /// E-9: an agent without a login waits until one of its executions ends well or a person resumes it.
    async fn issue_13_12_an_agent_without_a_login_waits_until_it_works_again(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let (db, ada) = (&board.db, agent().id);
        let failure = AgentFailure { class: FailureClass::Auth, message: "x".repeat(9000), until: None };
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, AgentReport { failure: Some(failure), ..AgentReport::default() }, 1).await;
        let year = 366 * 86_400;
        let wait = agent_waits::of_agent(db, ada, at(year)).await.unwrap().expect("it waits");
        assert_eq!((wait.cause, wait.until(), wait.message.len()), (agent_waits::WaitCause::Login, None, 500));
        assert_eq!(agent_waits::list_waits(db, at(year)).await.unwrap(), [wait]);
        assert_eq!(agent_waits::next_wait_end(db, at(100)).await.unwrap(), None, "nothing to wake up for");
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, AgentReport::default(), 0).await;
        assert_eq!(agent_waits::of_agent(db, ada, at(100)).await.unwrap(), None);
    }

    /// E-3: a token belongs to its execution until that ends.
    async fn e_3_a_token_expires_with_its_execution(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let task = run(&board, Assignee::Agent { id: agent().id }).await;
        let execution = task.run.as_ref().expect("a run").execution;
        let db = &board.db;
        commit!(db, (), |tx| execution_tokens::put(tx, execution, "old"));
        commit!(db, (), |tx| execution_tokens::put(tx, execution, "abc"));
        assert_eq!(execution_tokens::by_hash(db, "old").await.unwrap(), None);
        let bearer = execution_tokens::by_hash(db, "abc").await.unwrap().expect("it opens");
        assert_eq!((bearer.execution_id, bearer.task_id), (execution, task.id));
        end(&board, &task, AgentReport::default(), 0).await;
        assert_eq!(execution_tokens::by_hash(db, "abc").await.unwrap(), None);
    }
}
