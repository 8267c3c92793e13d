//! Values are read back as stored, on both engines alike.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use forge_store::{DatabaseUrl, DatabaseUrlError, Db, SqlStatement, StoreError, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::{TestDatabase, TestDatabaseEngine};

async fn run(db: &Db, statement: SqlStatement) -> Result<u64, StoreError> {
    db.write(move |tx| {
        let statement = statement.clone();
        Box::pin(async move { tx.execute(statement).await })
    })
    .await
}

async fn open_with_samples(database: &TestDatabase) -> Db {
    let db = database.open().await;
    let table = "CREATE TABLE samples (id BIGINT PRIMARY KEY, t TEXT, i BIGINT, b BOOLEAN, r DOUBLE PRECISION, y BYTEA)";
    run(&db, stmt(table)).await.expect("a table");
    db
}

type Sample = (Option<String>, Option<i64>, Option<bool>, Option<f64>, Option<Vec<u8>>);

both_databases! {
    /// D-2: every value type makes the round trip, with its extremes and with NULL.
    async fn d_2_every_value_is_read_back(database: Arc<TestDatabase>) {
        let db = open_with_samples(&database).await;
        let long = "é→𝄞\n\t'\"\\ $1 ; --".repeat(10_000);
        let samples: Vec<Sample> = vec![
            (None, None, None, None, None),
            (Some(String::new()), Some(0), Some(false), Some(0.0), Some(vec![])),
            (Some("naïve 日本語 🦀".into()), Some(i64::MAX), Some(true), Some(f64::MAX), Some(vec![0, 255, 1])),
            (Some(long), Some(i64::MIN), Some(true), Some(f64::MIN_POSITIVE), Some((0..=255).cycle().take(100_000).collect())),
            (Some("true".into()), Some(1), Some(false), Some(-0.1), Some(b"text".to_vec())),
        ];
        for (id, (t, i, b, r, y)) in (0_i64..).zip(samples.clone()) {
            let insert = stmt("INSERT INTO samples VALUES ($1, $2, $3, $4, $5, $6)");
            run(&db, insert.bind(id).bind(t).bind(i).bind(b).bind(r).bind(y)).await.expect("an insert");
        }
        let rows = db.fetch_all(stmt("SELECT * FROM samples ORDER BY id")).await.expect("rows");
        let read: Vec<Sample> = rows
            .iter()
            .map(|row| {
                Ok((row.get("t")?, row.get("i")?, row.get("b")?, row.get("r")?, row.get("y")?))
            })
            .collect::<Result<_, StoreError>>()
            .expect("readable rows");
        assert_eq!(read, samples);
    }

    /// D-2: expressions also have the same types on both engines.
    async fn d_2_computed_columns_have_the_same_types(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let row = db
            .fetch_one(stmt(
                "SELECT 1 AS one, COUNT(*) AS many, CAST(SUM(5) AS BIGINT) AS sum, 2 > $1 AS more, $2 || 'b' AS text,
                        (1, 2) < ($1, 3) AS ordered, CASE WHEN $3 THEN 'yes' ELSE 'no' END AS said",
            ).bind(1).bind("a").bind(true))
            .await
            .expect("a row");
        assert_eq!(row.get::<i64>("one").unwrap(), 1);
        assert_eq!(row.get::<Option<i64>>("many").unwrap(), Some(1));
        assert_eq!(row.get::<i64>("sum").unwrap(), 5);
        assert!(row.get::<bool>("more").unwrap());
        assert_eq!(row.get::<String>("text").unwrap(), "ab");
        assert!(row.get::<bool>("ordered").unwrap());
        assert_eq!(row.get::<String>("said").unwrap(), "yes");
    }

    /// D-2: the error names a column that has an unexpected value.
    async fn d_2_an_unreadable_column_is_named(database: Arc<TestDatabase>) {
        let db = open_with_samples(&database).await;
        run(&db, stmt("INSERT INTO samples (id, t) VALUES (1, '{\"a\":')")).await.expect("an insert");
        let row = db.fetch_one(stmt("SELECT * FROM samples")).await.expect("a row");
        let column = |error: StoreError| match error {
            StoreError::Corrupt { column, .. } => column,
            other => panic!("{other:?}"),
        };
        assert_eq!(column(row.get::<i64>("i").unwrap_err()), "i", "NULL where a value is needed");
        assert_eq!(column(row.get::<bool>("b").unwrap_err()), "b", "NULL where a value is needed");
        assert_eq!(column(row.get::<f64>("r").unwrap_err()), "r", "NULL where a value is needed");
        assert_eq!(column(row.get::<Vec<u8>>("y").unwrap_err()), "y", "NULL where a value is needed");
        assert_eq!(column(row.get::<i64>("t").unwrap_err()), "t", "another type");
        assert_eq!(column(row.get::<Option<i64>>("gone").unwrap_err()), "gone", "no such column");
        assert_eq!(column(row.json::<Vec<i64>>("t").unwrap_err()), "t", "not JSON");
        assert_eq!(column(row.parse::<u8>("t").unwrap_err()), "t", "not a number");
        assert_eq!(row.parse::<String>("t").unwrap(), "{\"a\":");
        assert!(matches!(
            db.fetch_one(stmt("SELECT * FROM samples WHERE id = 2")).await,
            Err(StoreError::NoRow)
        ));
    }

    /// D-2: SQLite also refuses a statement with a missing value, instead of using NULL.
    async fn d_2_a_missing_or_extra_value_is_refused(database: Arc<TestDatabase>) {
        let db = database.open().await;
        for statement in [
            stmt("SELECT key FROM meta WHERE key = $1"),
            stmt("SELECT key FROM meta").bind(1),
            stmt("SELECT key FROM meta WHERE key = $2").bind("a"),
        ] {
            let error = db.fetch_all(statement).await.unwrap_err();
            assert!(matches!(error, StoreError::Statement { .. }), "{error:?}");
        }
        let error = db.fetch_all(stmt("SELEC")).await.unwrap_err();
        assert!(matches!(error, StoreError::Statement { .. }), "{error:?}");
    }

    /// D-2: a violated constraint is a typed error.
    async fn d_2_a_violated_constraint_is_typed(database: Arc<TestDatabase>) {
        use forge_store::ConstraintRule::{Check, ForeignKey, NotNull, Unique};
        let db = database.open().await;
        run(&db, stmt("CREATE TABLE parents (id BIGINT PRIMARY KEY CHECK (id > 0), name TEXT NOT NULL)")).await.expect("a table");
        run(&db, stmt("CREATE TABLE children (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES parents (id))")).await.expect("a table");
        run(&db, stmt("INSERT INTO parents VALUES (1, 'a')")).await.expect("an insert");
        for (statement, expected) in [
            (stmt("INSERT INTO parents VALUES (1, 'b')"), Unique),
            (stmt("INSERT INTO parents VALUES (2, $1)").bind(None::<String>), NotNull),
            (stmt("INSERT INTO parents VALUES (-1, 'c')"), Check),
            (stmt("INSERT INTO children VALUES (1, 7)"), ForeignKey),
        ] {
            match run(&db, statement).await {
                Err(StoreError::Constraint { rule, name }) => {
                    assert_eq!(rule, expected);
                    assert!(!name.is_empty());
                }
                other => panic!("{expected:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn s_6_a_database_address_never_shows_its_password() {
    let url: DatabaseUrl =
        "postgres://forge:s3cret@db.example:5433/board".parse().expect("an address");
    assert_eq!(url.to_string(), "postgres://forge@db.example:5433/board");
    assert!(!format!("{url:?}").contains("s3cret"));
    let error = "postgres://forge:s3cret@db:port/x".parse::<DatabaseUrl>().unwrap_err();
    assert!(!error.to_string().contains("s3cret"), "{error}");
    let url: DatabaseUrl = "sqlite:/srv/forge data/forge.db".parse().expect("an address");
    assert_eq!(url.to_string(), "sqlite:/srv/forge data/forge.db");
}

#[test]
fn d_1_bad_database_addresses_are_refused_by_kind() {
    let error = |text: &str| text.parse::<DatabaseUrl>().unwrap_err();
    assert_eq!(error("mysql://x"), DatabaseUrlError::Scheme);
    assert_eq!(error(""), DatabaseUrlError::Scheme);
    assert_eq!(error("sqlite:"), DatabaseUrlError::NoPath);
    assert_eq!(error("sqlite://"), DatabaseUrlError::NoPath);
    assert_eq!(error("sqlite::memory:"), DatabaseUrlError::InMemory);
    assert!(matches!(error("postgres://a:b:c:d"), DatabaseUrlError::Postgres { .. }));
}

#[tokio::test]
async fn d_1_an_error_names_the_file_that_cannot_be_opened() {
    let directory = tempfile::tempdir().expect("a directory");
    let url = DatabaseUrl::sqlite(directory.path().join("missing/forge.db"));
    let error = Db::open(&url).await.expect_err("there is no such directory");
    assert!(
        matches!(&error, StoreError::Unavailable { detail } if detail.contains("missing/forge.db")),
        "{error}"
    );
}

/// D-2: on the server's kind of runtime a read runs on the calling thread and blocks no other work: there are more
/// reads than threads and connections, each with a write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d_2_many_read_and_write_at_once() {
    const EACH: i64 = 40;
    let database = TestDatabase::migrated(TestDatabaseEngine::Sqlite).await;
    let db = open_with_samples(&database).await;
    let mut at_work = tokio::task::JoinSet::new();
    for id in 0..EACH {
        let db = db.clone();
        at_work.spawn(async move {
            run(&db, stmt("INSERT INTO samples (id) VALUES ($1)").bind(id)).await.expect("written");
            let found = stmt("SELECT id FROM samples WHERE id = $1").bind(id);
            let row = db.fetch_one(found).await.expect("what was just written is there");
            row.get::<i64>("id").expect("a number")
        });
    }
    let mut read = at_work.join_all().await;
    read.sort_unstable();
    assert_eq!(read, (0..EACH).collect::<Vec<_>>());
    db.close().await;
    let closed = db.fetch_all(stmt("SELECT 1 AS one")).await;
    assert!(matches!(closed, Err(StoreError::Closed)));
}
