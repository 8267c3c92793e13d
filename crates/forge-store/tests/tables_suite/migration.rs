//! From the first version to this one.

use std::sync::Arc;

use forge_domain::{AgentId, ProjectId, TaskId, TokenUsage};
use forge_store::tables::usage;
use forge_store::{Db, MIGRATIONS, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use uuid::Uuid;

use crate::board::{Board, written};

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
        let rows = [
            "INSERT INTO workflows VALUES ('w', '{}')",
            "INSERT INTO projects
             VALUES ('00000000-0000-0000-0000-00000000000a', 1, 'p', 'p', 'git_worktree', 'w', '{}', NULL, 1, 1, 1)",
            "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency, version,
                                agent_id, parent_id, archived, created_at, updated_at, related, related_stale, snapshot)
             VALUES ('00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-00000000000a', 1, 'w', 's', 'backlog', 'open',
                     FALSE, 'task', 0, 1, NULL, NULL, FALSE, 1, 1, '', FALSE, '{}')",
            "INSERT INTO executions (id, task_id, project_id, role, agent_id, purpose, status, open, created_at,
                                     input_tokens, cached_tokens, output_tokens, cost_micro_usd)
             SELECT used.id, '00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-00000000000a', 'coder',
                    '00000000-0000-0000-0000-00000000000c', 'work', 'finished', FALSE, 1, used.a, used.b, used.c, used.d
             FROM (SELECT '1' AS id, 10 AS a, 5 AS b, 3 AS c, NULL AS d
                   UNION ALL SELECT '2', 20, 0, 4, 7 UNION ALL SELECT '3', NULL, NULL, NULL, NULL) AS used",
        ];
        for row in rows {
            written(&old, move |tx| Box::pin(tx.execute(stmt(row)))).await;
        }
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let usage = TokenUsage { input_tokens: 30, cached_tokens: 5, output_tokens: 7, cost_micro_usd: Some(7) };
        let expected = usage::Used { executions: 2, usage };
        assert_eq!(usage::of_project(&db, ProjectId::new(Uuid::from_u128(10))).await.unwrap(), expected);
        assert_eq!(usage::of_task(&db, TaskId::new(Uuid::from_u128(11))).await.unwrap(), expected);
        assert_eq!(usage::of_agent(&db, AgentId::new(Uuid::from_u128(12)), None).await.unwrap(), expected);
    }
}
