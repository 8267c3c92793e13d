//! From the first version to this one.

use std::sync::Arc;

use forge_domain::TokenUsage;
use forge_store::tables::usage;
use forge_store::{Db, MIGRATIONS, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{Board, id, written};

both_databases! {
    /// D-2: a database of the first version keeps its rows, and can do what this version can.
    async fn d_2_a_database_of_the_first_version_is_brought_here(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let old = Db::open_at(&url, &MIGRATIONS[..1]).await.expect("the first version");
        written(&old, |tx| Box::pin(tx.execute(stmt("INSERT INTO meta (key, value) VALUES ('k', 'kept')")))).await;
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let row = db.fetch_one(stmt("SELECT value FROM meta WHERE key = 'k'")).await.expect("the row");
        assert_eq!(row.get::<String>("value").unwrap(), "kept");
        let board = Board::add(db, 1).await;
        board.task("t", |_| {}).await;
    }

    /// E-8: what was used before there were sums is in them.
    async fn e_8_the_sums_begin_with_what_was_used_before(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let old = Db::open_at(&url, &MIGRATIONS[..7]).await.expect("the version without sums");
        let ids = ["project", "task", "agent"].map(|name| (name, id(name.len() as u64 + 40).to_string()));
        let rows = [
            "INSERT INTO workflows VALUES ('w', '{}')",
            "INSERT INTO projects VALUES ('project', 1, 'p', 'p', 'git_worktree', 'w', '{}', NULL, 1, 1, 1)",
            "INSERT INTO tasks VALUES ('task', 'project', 1, 'w', 's', 'backlog', 'open', FALSE, 'task', 0, 1, NULL,
                                       NULL, FALSE, 1, 1, '', FALSE, '{}')",
            "INSERT INTO executions (id, task_id, project_id, role, agent_id, purpose, status, open, created_at,
                                     input_tokens, cached_tokens, output_tokens, cost_micro_usd)
             VALUES ('1', 'task', 'project', 'coder', 'agent', 'work', 'finished', FALSE, 1, 10, 5, 3, NULL),
                    ('2', 'task', 'project', 'coder', 'agent', 'work', 'finished', FALSE, 1, 20, 0, 4, 7),
                    ('3', 'task', 'project', 'coder', NULL, 'work', 'finished', FALSE, 1, NULL, NULL, NULL, NULL)",
        ];
        for row in rows {
            let row = ids.iter().fold(row.to_owned(), |row, (name, id)| row.replace(&format!("'{name}'"), &format!("'{id}'")));
            // The kind of the task has the same word as its place here.
            written(&old, |tx| Box::pin(tx.execute(stmt(Box::leak(row.into_boxed_str()))))).await;
        }
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let usage = TokenUsage { input_tokens: 30, cached_tokens: 5, output_tokens: 7, cost_micro_usd: Some(7) };
        let expected = usage::Used { executions: 2, usage };
        let [(_, project), (_, task), (_, agent)] = ids;
        assert_eq!(usage::of_task(&db, task.parse().unwrap()).await.unwrap(), expected);
        assert_eq!(usage::of_agent(&db, agent.parse().unwrap(), None).await.unwrap(), expected);
        assert_eq!(usage::of_project(&db, project.parse().unwrap()).await.unwrap(), expected);
    }
}
