//! Upgrades from the first version to this one.

use std::sync::Arc;

use forge_domain::task::{Annotation, AnnotationType, LandingRecord};
use forge_domain::{AgentId, EffectLane, ProjectId, TaskId, TokenUsage};
use forge_store::tables::tasks::{self, TaskFilter};
use forge_store::tables::{PageRequest, effects, usage};
use forge_store::{Db, DbRow, MIGRATIONS, SqlDialect, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use uuid::Uuid;

use crate::board::{TestBoard, at, written};

both_databases! {
    /// D-2: a database of the first version keeps its rows, and supports this version's features.
    async fn d_2_a_database_of_the_first_version_is_migrated(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let old = Db::open_at(&url, &MIGRATIONS[..1]).await.expect("the first version");
        written(&old, |tx| Box::pin(tx.execute(stmt("INSERT INTO meta (key, value) VALUES ('k', 'kept')")))).await;
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        let row = db.fetch_one(stmt("SELECT value FROM meta WHERE key = 'k'")).await.expect("the row");
        assert_eq!(row.get::<String>("value").unwrap(), "kept");
        let board = TestBoard::add(db, 1).await;
        board.task("t", |_| {}).await;
    }

    /// E-8: the sums contain usage from before they existed.
    async fn e_8_the_sums_include_earlier_usage(database: Arc<TestDatabase>) {
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
        let expected = usage::UsageTotals { executions: 2, usage };
        assert_eq!(usage::of_project(&db, ProjectId::new(Uuid::from_u128(10))).await.unwrap(), expected);
        assert_eq!(usage::of_task(&db, TaskId::new(Uuid::from_u128(11))).await.unwrap(), expected);
        assert_eq!(usage::of_agent(&db, AgentId::new(Uuid::from_u128(12)), None).await.unwrap(), expected);
    }

    /// Issue 13.23: tasks of a database with an older index are found by their words, and their entries equal those
    /// that this version writes.
    async fn issue_13_23_tasks_of_an_older_version_are_found(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let url = database.create_empty().await;
        let before = MIGRATIONS.iter().position(|migration| migration.name == "search").expect("it is listed");
        let old = Db::open_at(&url, &MIGRATIONS[..before]).await.expect("the version before");
        let project = board.project.to_string();
        written(&old, move |tx| {
            let insert = stmt("INSERT INTO projects VALUES ($1, 1, 'p', 'p', 'git_worktree', 'w', '{}', NULL, 1, 1, 1)").bind(&project);
            Box::pin(async move {
                tx.execute(stmt("INSERT INTO workflows VALUES ('w', '{}')")).await?;
                tx.execute(insert).await
            })
        })
        .await;
        let titles = [
            ("Fix the Login form", "fix the login form "),
            ("ÉCRAN de Zoë", "écran de zoë "),
            ("incomprehensibilities of the login", "incomprehensibilities of the login "),
        ];
        for (title, words) in titles {
            let task = board.task(title, |_| {}).await;
            let snapshot = serde_json::to_string(&task).expect("JSON");
            written(&old, move |tx| {
                let row = stmt(
                    "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency,
                                        version, agent_id, parent_id, archived, created_at, updated_at, related,
                                        related_stale, snapshot)
                     VALUES ($1, $2, $3, 'w', 's', 'backlog', 'open', FALSE, 'task', 0, 1, NULL, NULL, FALSE, 1, 1, '', FALSE, $4)",
                );
                let row = row.bind(task.id.to_string()).bind(task.project_id.to_string());
                let row = row.bind(task.number).bind(&snapshot);
                let entry = stmt("INSERT INTO task_words (task_id, words) VALUES ($1, $2)");
                let entry = entry.bind(task.id.to_string()).bind(words);
                Box::pin(async move {
                    tx.execute(row).await?;
                    tx.execute(entry).await
                })
            })
            .await;
        }
        old.close().await;
        let db = Db::open(&url).await.expect("this version");
        for (text, expected) in [
            ("login", vec![1, 3]), ("form LOG", vec![1]), ("zo écr", vec![2]), ("incomprehensibilities", vec![3]),
            ("incomprehensibility", vec![]),
        ] {
            let filter = TaskFilter { text: Some(text.to_owned()), ..TaskFilter::new(board.project) };
            let (tasks, _) = tasks::list(&db, &filter, &PageRequest::first(10)).await.expect("a list");
            assert_eq!(tasks.iter().map(|task| task.number).collect::<Vec<_>>(), expected, "{text}");
        }
        if db.dialect() == SqlDialect::Postgres {
            let entries = "SELECT place, CAST(ARRAY(SELECT unnest(terms) ORDER BY 1) AS TEXT) AS terms FROM task_search ORDER BY place";
            let of = async |db: &Db| {
                let rows = db.fetch_all(stmt(entries)).await.expect("the entries");
                let read = |row: &DbRow| (row.get::<i64>("place").unwrap(), row.get::<String>("terms").unwrap());
                rows.iter().map(read).collect::<Vec<_>>()
            };
            assert_eq!(of(&db).await, of(&board.db).await);
        }
    }

    /// D-2: events, effects and snapshots that an earlier version stored are read under the names of this version.
    async fn d_2_stored_names_of_an_earlier_version_are_read(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.task("t", |task| {
            let landed = LandingRecord { commit: Some("c1".to_owned()), target: "main".to_owned(), at: at(1) };
            task.post_landing.landed = Some(landed);
            task.annotation = Some(Annotation {
                kind: AnnotationType::EffectFailed,
                message: "m".to_owned(),
                details: serde_json::Value::Null,
                at: at(1),
            });
        }).await;
        let url = database.create_empty().await;
        let before = MIGRATIONS.iter().position(|migration| migration.name == "plain_names").expect("it is listed");
        let old = Db::open_at(&url, &MIGRATIONS[..before]).await.expect("the version before");
        let snapshot = serde_json::to_string(&task).expect("JSON");
        let stored = snapshot.replace("\"post_landing\":", "\"aftermath\":").replace("effect_failed", "step_failed");
        assert_ne!(stored, snapshot);
        let (id, project) = (task.id.to_string(), task.project_id.to_string());
        let execution = crate::board::id(7).to_string();
        let rows = [
            "INSERT INTO workflows VALUES ('w', '{}')".to_owned(),
            format!("INSERT INTO projects VALUES ('{project}', 1, 'p', 'p', 'git_worktree', 'w', '{{}}', NULL, 1, 1, 1)"),
            format!(
                "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency, version,
                                    agent_id, parent_id, archived, created_at, updated_at, related, related_stale, snapshot)
                 VALUES ('{id}', '{project}', 1, 'w', 's', 'backlog', 'open', FALSE, 'task', 0, 1, NULL, NULL, FALSE, 1, 1, '',
                         FALSE, '{stored}')"
            ),
            format!(
                "INSERT INTO events (project_id, seq, type, version, task_id, actor, at, data)
                 SELECT '{project}', old.seq, old.type, 1, '{id}', '{{\"kind\":\"system\",\"component\":\"c\"}}', 1, old.data
                 FROM (SELECT 1 AS seq, 'workspace.leaving' AS type, 'null' AS data
                       UNION ALL SELECT 2, 'step.failed', '{{\"trouble\":\"step_failed\"}}'
                       UNION ALL SELECT 3, 'train.changed', '{{\"target\":\"main\",\"cars\":2}}'
                       UNION ALL SELECT 4, 'task.updated', '{{\"note\":\"step_failed\"}}') AS old"
            ),
            format!(
                "INSERT INTO effects (id, task_id, project_id, lane, position, kind, payload, yields, visit, open, attempts,
                                      failures, not_before, due_at, fence, created_at)
                 SELECT old.id, '{id}', '{project}', old.lane, old.position, old.kind, old.payload, FALSE, 1, TRUE, 0, 0, 1, 1, 0, 1
                 FROM (SELECT '{}' AS id, 'workspace' AS lane, 1 AS position, 'run_turn' AS kind,
                              '{{\"kind\":\"run_turn\",\"execution\":\"{execution}\"}}' AS payload
                       UNION ALL SELECT '{}', 'aftermath', 2, 'verify_landing', '{{\"kind\":\"verify_landing\",\"commit\":\"c1\"}}'
                       UNION ALL SELECT '{}', 'family', 3, 'end_turns', '{{\"kind\":\"end_turns\"}}') AS old",
                crate::board::id(1), crate::board::id(2), crate::board::id(3),
            ),
        ];
        for row in rows {
            let row: &'static str = row.leak();
            written(&old, move |tx| Box::pin(tx.execute(stmt(row)))).await;
        }
        old.close().await;

        let db = Db::open(&url).await.expect("this version");
        assert_eq!(tasks::load(&db, task.id).await.expect("a task"), Some(task.clone()));
        let effects = effects::list_of_task(&db, task.id).await.expect("effects");
        let found: Vec<_> = effects.iter().map(|row| (row.effect.name(), row.lane)).collect();
        assert_eq!(found, [
            ("run_execution", EffectLane::Workspace),
            ("verify_landing", EffectLane::PostLanding),
            ("end_turns", EffectLane::OrderedTurns),
        ]);
        let rows = db.fetch_all(stmt("SELECT type, data FROM events ORDER BY seq")).await.expect("events");
        let read = |row: &DbRow| (row.get::<String>("type").unwrap(), row.get::<String>("data").unwrap());
        let found: Vec<_> = rows.iter().map(read).collect();
        let expected = [
            ("workspace.removing", "null"),
            ("effect.failed", r#"{"trouble":"effect_failed"}"#),
            ("train.changed", r#"{"target":"main","entries":2}"#),
            ("task.updated", r#"{"note":"step_failed"}"#),
        ];
        assert_eq!(found, expected.map(|(kind, data)| (kind.to_owned(), data.to_owned())));
    }
}
