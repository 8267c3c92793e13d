//! Tests of how much a search reads on a small and on a large board (D-4), by counts instead of times.
#![allow(clippy::expect_used, clippy::panic)]

use forge_domain::project::StoredSettings;
use forge_domain::task::{MergeConfig, ReviewConfig, TaskKind, TaskSnapshot};
use forge_domain::workflow::{DEFAULT, StateName, Workflow, template};
use forge_domain::{
    Actor, Budget, CommandEnvelope, CommandId, CreateTask, ProjectId, Timestamp, UserId, create,
};
use forge_testkit::database::{TestDatabaseEngine, run};
use uuid::Uuid;

use crate::database_url::{DatabaseLocation, DatabaseUrl};
use crate::db::Db;
use crate::dialect::SqlDialect;
use crate::sqlite::{ConnectionAccess, SqliteConnection};
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::admin::projects;
use crate::tables::admin::projects::ProjectRow;
use crate::tables::admin::workflows;
use crate::tables::page::PageRequest;
use crate::tables::tasks;
use crate::tables::tasks::{HitQuery, HitReading, SearchExtent, TaskFilter, TaskSortKey};

const SMALL: i64 = 200;
const LARGE: i64 = 5000;
/// Several times the size of one read; writing a task takes three round trips.
const LARGE_ON_POSTGRES: i64 = 2000;
const PAGE: u32 = 10;
/// Number of tasks written in one transaction.
const BATCH: i64 = 500;

fn project() -> ProjectId {
    ProjectId::new(Uuid::from_u128(7))
}

/// Fills a board on which `every` is in each title, `some` in one of 40, and `few` in the oldest and the last but 20.
async fn fill(db: &Db, count: i64) {
    let definition = template(DEFAULT).expect("the default workflow");
    let text = serde_json::to_string(&definition).expect("JSON");
    let workflow = Workflow::compile(definition).expect("a sound workflow");
    let row = ProjectRow {
        id: project(),
        ordinal: 0,
        name: "Board".to_owned(),
        slug: "board".to_owned(),
        workspace_type: forge_domain::WorkspaceType::GitWorktree,
        workflow: workflow.hash().clone(),
        settings: StoredSettings::default(),
        paused_at: None,
        version: 1,
        created_at: Timestamp::from_millis(1),
        updated_at: Timestamp::from_millis(1),
    };
    let hash = workflow.hash().clone();
    let write = db.write(move |tx| {
        let (row, hash, text) = (row.clone(), hash.clone(), text.clone());
        Box::pin(async move {
            workflows::put(tx, &hash, &text).await?;
            projects::insert(tx, &row).await
        })
    });
    let written: Result<_, StoreError> = write.await;
    written.expect("a project");
    for first in (1..=count).step_by(usize::try_from(BATCH).expect("small")) {
        let last = (first + BATCH - 1).min(count);
        let batch: Vec<TaskSnapshot> = (first..=last).map(|n| task(&workflow, n, count)).collect();
        let write = db.write(move |tx| {
            let batch = batch.clone();
            Box::pin(async move {
                for task in &batch {
                    tasks::insert(tx, task).await?;
                }
                Ok(())
            })
        });
        let written: Result<(), StoreError> = write.await;
        written.expect("tasks");
    }
}

fn task(workflow: &Workflow, number: i64, count: i64) -> TaskSnapshot {
    let some = if number % 40 == 0 { " some" } else { "" };
    let few = if number == 1 || number == count - 20 { " few" } else { "" };
    let command = CreateTask {
        origin: None,
        project_id: project(),
        repo_id: None,
        number,
        kind: TaskKind::Task,
        title: format!("every {number}{some}{few}"),
        description: String::new(),
        priority: 0,
        labels: [if number % 40 == 0 { "some" } else { "every" }.to_owned()].into(),
        review_config: ReviewConfig::default(),
        merge_config: MergeConfig::default(),
        roles: Default::default(),
        dependencies: Default::default(),
        parent: None,
        subtask: None,
        budget: Budget::default(),
        queued: false,
        metadata: Default::default(),
    };
    let id = CommandId::new(Uuid::from_u128(u128::from(number.unsigned_abs()) << 64));
    let actor = Actor::User { id: UserId::new(Uuid::from_u128(1)) };
    let at = Timestamp::from_millis(number * 7919 % 10_007);
    create(workflow, &CommandEnvelope { id, at, actor, command }).expect("a task").snapshot
}

async fn rows_read(db: &Db, filter: &TaskFilter, text: &str) -> (usize, usize) {
    let wanted: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let page = PageRequest::first(PAGE);
    let found = tasks::search(db, filter, &wanted, None, &page).await.expect("a search");
    (found.tasks.len(), found.rows_read)
}

/// Checks the rows that a search reads, over all words and orders.
async fn measure(db: &Db, what: &str, most: usize) {
    let newest = TaskFilter { descending: true, ..TaskFilter::new(project()) };
    for descending in [true, false] {
        let filter = TaskFilter { descending, ..newest.clone() };
        for (text, expected) in
            [("every", 11), ("e s", 11), ("some", 11), ("few", 2), ("every few", 2), ("no", 0)]
        {
            let (found, rows) = rows_read(db, &filter, text).await;
            let expected =
                if what == "small" && text != "every" { expected.min(5) } else { expected };
            assert_eq!(found, expected, "{text}, {what}");
            assert!(rows <= most, "{text}, {what}, descending {descending}: {rows} rows");
        }
    }
    for sort in [TaskSortKey::Updated, TaskSortKey::Priority] {
        let filter = TaskFilter { sort, ..newest.clone() };
        for text in ["every", "some", "few", "every few", "no"] {
            let (_, rows) = rows_read(db, &filter, text).await;
            assert!(rows <= 6 * most, "{text}, {what}, {sort:?}: {rows} rows");
        }
    }
    for label in ["every", "some", "none"] {
        let filter = TaskFilter { label: Some(label.to_owned()), ..newest.clone() };
        let (_, rows) = rows_read(db, &filter, "").await;
        assert!(rows <= 6 * most, "label {label}, {what}: {rows} rows");
    }
    // The word is in every task and the filter matches none.
    let nowhere = TaskFilter { status: Some(StateName::new("nowhere")), ..newest };
    let (found, rows) = rows_read(db, &nowhere, "every").await;
    assert!(found == 0 && rows <= 2 * most, "{what}: {rows} rows");
}

fn bytes_read() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/io").expect("Linux counts reads");
    let line = text.lines().find_map(|line| line.strip_prefix("rchar: "));
    line.expect("a count").parse().expect("a number")
}

fn query(
    wanted: &[String],
    dialect: SqlDialect,
    extent: SearchExtent,
    newest: i64,
) -> crate::tables::query_builder::QueryBuilder {
    let filter = TaskFilter { descending: true, ..TaskFilter::new(project()) };
    let asked = HitQuery {
        wanted,
        extent: extent.terms(project(), newest, true),
        numbers: (0, newest),
        limit: i64::from(PAGE) + 1,
        reading: HitReading::InOrder,
    };
    tasks::assemble_hits(dialect, &filter, None, &asked).expect("a query")
}

/// D-4: a search reads as many rows, and as much of the file, on a board of 5,000 tasks as on one of 200.
#[test]
fn issue_13_23_a_search_reads_no_more_of_a_large_board_sqlite() {
    run(TestDatabaseEngine::Sqlite, |database| async move {
        let mut bytes = Vec::new();
        for (what, count) in [("small", SMALL), ("large", LARGE)] {
            let url = DatabaseUrl::sqlite(database.path(&format!("{what}.db")));
            let db = Db::open(&url).await.expect("it opens");
            fill(&db, count).await;
            measure(&db, what, 128).await;
            db.close().await;
            let DatabaseLocation::Sqlite(path) = url.location() else { panic!("a file") };
            for text in ["every", "some", "few"] {
                // A new connection has an empty cache.
                let connection =
                    SqliteConnection::open(path, ConnectionAccess::Read).expect("it opens");
                let query =
                    query(&[text.to_owned()], SqlDialect::Sqlite, SearchExtent::Project, count);
                let statement = query.into_stmt();
                let before = bytes_read();
                let rows = connection.fetch(&statement, usize::MAX).expect("hits");
                assert!(!rows.is_empty());
                bytes.push((text, bytes_read() - before));
            }
        }
        let (small, large) = bytes.split_at(3);
        for ((text, small), (_, large)) in small.iter().zip(large) {
            assert!(*large <= 2 * small, "{text}: {small} bytes, then {large}");
        }
    });
}

/// D-4: same on PostgreSQL, whose plan tells what each part read.
#[test]
fn issue_13_23_a_search_reads_no_more_of_a_large_board_postgres() {
    for (what, count) in [("small", SMALL), ("large", LARGE_ON_POSTGRES)] {
        run(TestDatabaseEngine::Postgres, |database| async move {
            let url = database.address().await.parse().expect("an address");
            let db = Db::open(&url).await.expect("it opens");
            fill(&db, count).await;
            // A server does this by itself, some time after so many inserts.
            let analyze = db.write(|tx| Box::pin(async { tx.execute(stmt("ANALYZE")).await }));
            let analyzed: Result<u64, StoreError> = analyze.await;
            analyzed.expect("statistics");
            measure(&db, what, 128).await;
            for (text, extent) in [
                ("every", SearchExtent::SMALLEST),
                ("some", SearchExtent::SMALLEST),
                ("few", SearchExtent::Project),
            ] {
                let query = query(&[text.to_owned()], SqlDialect::Postgres, extent, count);
                let statement = query.into_analyze();
                let plan = db.fetch_all(statement).await.expect("a plan");
                let lines: Vec<String> =
                    plan.iter().map(|row| row.get("QUERY PLAN").expect("a line")).collect();
                let plan = lines.join("\n");
                if what == "large" {
                    assert!(plan.contains("Bitmap Index Scan on task_search_terms"), "{plan}");
                }
                // Two blocks of 256 numbers, read from the index and from the table, and sorted.
                let rows: u64 = lines.iter().map(|line| rows_of(line)).sum();
                assert!(rows <= 4 * 512, "{text}, {what}: {rows} rows\n{plan}");
            }
            db.close().await;
        });
    }
}

/// The number of rows in a line of a plan.
fn rows_of(line: &str) -> u64 {
    let after = |mark: &str| {
        let rest = line.split(mark).nth(1)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let removed = after("Rows Removed by Filter: ").unwrap_or_default();
    after("actual rows=").unwrap_or_default() * after("loops=").unwrap_or(1) + removed
}
