//! What programs tell about their turns: usage (E-8), allowances (E-9), and what they prove themselves with (E-3).

use std::sync::Arc;

use forge_domain::task::Snapshot;
use forge_domain::{
    AgentId, Assignee, Budget, Decision, Ending, Event, FailureClass, Recorded, RunFailure,
    RunResult, TokenUsage, Told,
};
use forge_store::tables::agents::{self, Agent};
use forge_store::tables::{budgets, execution_tokens, executions, quota, usage};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{Board, at, commit, id};
use crate::projection::run;

fn agent() -> Agent {
    Agent {
        id: AgentId::new(id(77)),
        name: "ada".to_owned(),
        executor: serde_json::json!({}),
        roles: vec![],
        paused: false,
        max_concurrent: 9,
        ephemeral: false,
        fallback: None,
        version: 1,
        created_at: at(1),
        updated_at: at(1),
    }
}

async fn with_agent(database: &TestDatabase) -> Board {
    let board = Board::open(database).await;
    let (db, agent) = (&board.db, agent());
    commit!(db, (agent), |tx| agents::insert(tx, &agent));
    board
}

async fn end(board: &Board, task: &Snapshot, told: Told, code: i32) {
    let execution = task.run.as_ref().expect("a run").execution;
    let result = RunResult { told, ..RunResult::bare(Ending::Exited { code }) };
    let event = Event::ExecutionFinished { execution, result };
    let events = vec![Recorded { event, at: at(9), version: 1 }];
    let snapshot = Snapshot { run: None, ..task.clone() };
    board.commit(&Decision { snapshot, events, effects: vec![], supersedes: false }, 9).await;
}

fn used(tokens: u64, cost: Option<u64>) -> Told {
    let usage = TokenUsage {
        input_tokens: tokens,
        cached_tokens: tokens / 2,
        output_tokens: 1,
        cost_micro_usd: cost,
    };
    Told { session: Some("s-1".to_owned()), usage: Some(usage), failure: None, steered: Vec::new() }
}

both_databases! {
    /// E-8: what was used is summed by task, agent and project; what said nothing counts for nothing.
    async fn e_8_usage_is_summed(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let ada = agent().id;
        let assignee = Assignee::Agent { id: ada };
        let first = run(&board, assignee).await;
        end(&board, &first, used(1000, Some(5)), 0).await;
        let second = run(&board, assignee).await;
        end(&board, &second, used(10, None), 1).await;
        let third = run(&board, assignee).await;
        end(&board, &third, Told::default(), 0).await;
        let whole = usage::of_project(&board.db, board.project).await.unwrap();
        assert_eq!(whole.executions, 2);
        assert_eq!(whole.usage, TokenUsage { input_tokens: 1010, cached_tokens: 505, output_tokens: 2, cost_micro_usd: Some(5) });
        assert_eq!(usage::of_agent(&board.db, ada, None).await.unwrap(), whole);
        let stranger = forge_domain::UserId::new(id(5));
        assert_eq!(usage::of_agent(&board.db, ada, Some(stranger)).await.unwrap(), usage::Used::default());
        let one = usage::of_task(&board.db, second.id).await.unwrap();
        assert_eq!((one.executions, one.usage.input_tokens, one.usage.cost_micro_usd), (1, 10, None));
        assert_eq!(usage::of_session(&board.db, first.id, "s-1").await.unwrap().usage.input_tokens, 1000);
        let row = executions::list_of_task(&board.db, first.id).await.unwrap();
        assert_eq!(row[0].session.as_deref(), Some("s-1"));
    }

    /// E-8: a project's budget is spent when its sums reach it, and not before.
    async fn e_8_a_projects_budget_is_spent_by_its_sums(database: Arc<TestDatabase>) {
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
            assert_eq!(budgets::spent(db).await.unwrap(), expected, "{budget:?}");
        }
    }

    /// E-9: a used-up allowance makes the agent wait, and a turn that ends well shows that it is back.
    async fn e_9_an_agent_waits_until_it_is_back(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let ada = agent().id;
        let failure = RunFailure { class: FailureClass::Quota, message: String::new(), until: Some(at(5000)) };
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, Told { failure: Some(failure), ..Told::default() }, 1).await;
        let waits = quota::waits(&board.db, at(100)).await.unwrap();
        assert_eq!(waits, [quota::QuotaWait { agent_id: ada, until: at(5000) }]);
        assert_eq!(quota::waits(&board.db, at(5000)).await.unwrap(), []);
        assert_eq!(quota::next_end(&board.db, at(100)).await.unwrap(), Some(at(5000)));
        assert_eq!(quota::next_end(&board.db, at(5000)).await.unwrap(), None);
        let task = run(&board, Assignee::Agent { id: ada }).await;
        end(&board, &task, Told::default(), 0).await;
        assert_eq!(quota::waits(&board.db, at(100)).await.unwrap(), []);
    }

    /// E-3: a token stands for its execution until that is over.
    async fn e_3_a_token_dies_with_its_execution(database: Arc<TestDatabase>) {
        let board = with_agent(&database).await;
        let task = run(&board, Assignee::Agent { id: agent().id }).await;
        let execution = task.run.as_ref().expect("a run").execution;
        let db = &board.db;
        commit!(db, (), |tx| execution_tokens::put(tx, execution, "old"));
        commit!(db, (), |tx| execution_tokens::put(tx, execution, "abc"));
        assert_eq!(execution_tokens::by_hash(db, "old").await.unwrap(), None);
        let bearer = execution_tokens::by_hash(db, "abc").await.unwrap().expect("it opens");
        assert_eq!((bearer.execution_id, bearer.task_id), (execution, task.id));
        end(&board, &task, Told::default(), 0).await;
        assert_eq!(execution_tokens::by_hash(db, "abc").await.unwrap(), None);
    }
}
