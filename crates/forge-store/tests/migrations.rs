//! Migrations run forward, once, or not at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use forge_store::{
    DatabaseUrl, Db, MIGRATIONS, MigrationError, SchemaMigration, SqlDialect, StoreError, stmt,
};
use forge_testkit::both_databases;
use forge_testkit::database::{TestDatabase, TestDatabaseEngine};

const ONE: SchemaMigration = SchemaMigration {
    number: 1,
    name: "one",
    sql: "CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT NOT NULL);\nINSERT INTO things VALUES (1, 'first');\n",
};
const TWO: SchemaMigration = SchemaMigration {
    number: 2,
    name: "two",
    sql: "ALTER TABLE things ADD COLUMN extra TEXT;
-- sqlite:
UPDATE things SET extra = 'from ' || 'sqlite';
-- postgres:
UPDATE things SET extra = concat('from ', 'postgres');
-- both:
INSERT INTO things VALUES (2, 'second', NULL);
",
};

async fn fails(url: &DatabaseUrl, migrations: &[SchemaMigration]) -> MigrationError {
    match Db::open_at(url, migrations).await {
        Err(StoreError::Migration(error)) => error,
        other => panic!("{other:?}"),
    }
}

async fn things(db: &Db) -> i64 {
    let row = db.fetch_one(stmt("SELECT COUNT(*) AS n FROM things")).await.expect("a count");
    row.get("n").expect("a number")
}

both_databases! {
    /// D-2: each migration is applied once to the existing rows, with the engine's own SQL where they differ.
    async fn d_2_each_migration_is_applied_once(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let db = Db::open_at(&url, &[ONE]).await.expect("the first version");
        assert_eq!(things(&db).await, 1);
        db.close().await;
        for _ in 0..2 {
            let db = Db::open_at(&url, &[ONE, TWO]).await.expect("the second version");
            assert_eq!(things(&db).await, 2);
            let row = db.fetch_one(stmt("SELECT extra FROM things WHERE id = 1")).await.expect("a row");
            let expected = match db.dialect() {
                SqlDialect::Sqlite => "from sqlite",
                SqlDialect::Postgres => "from postgres",
            };
            assert_eq!(row.get::<String>("extra").unwrap(), expected);
            db.close().await;
        }
    }

    /// D-2: nodes that start together migrate once.
    async fn d_2_concurrent_starts_migrate_once(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        let (a, b, c) = tokio::join!(
            Db::open_at(&url, &[ONE, TWO]),
            Db::open_at(&url, &[ONE, TWO]),
            Db::open_at(&url, &[ONE, TWO]),
        );
        for db in [a, b, c] {
            assert_eq!(things(&db.expect("it opens")).await, 2);
        }
    }

    /// D-2: the migrations of this program apply to an empty database, and again to their own result.
    async fn d_2_this_versions_migrations_apply(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        for _ in 0..2 {
            let db = Db::open(&url).await.expect("it opens");
            let row = db.fetch_one(stmt("SELECT COUNT(*) AS n FROM schema_migrations")).await.expect("a count");
            assert_eq!(row.get::<i64>("n").unwrap(), i64::try_from(MIGRATIONS.len()).unwrap());
        }
    }

    /// D-2: an older program refuses a newer database.
    async fn d_2_a_newer_database_is_refused(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        Db::open_at(&url, &[ONE, TWO]).await.expect("the newer version").close().await;
        let error = fails(&url, &[ONE]).await;
        assert!(matches!(error, MigrationError::Newer { database: 2, supported: 1, .. }), "{error}");
        assert!(error.to_string().contains("Start Forge"), "it says what to do: {error}");
    }

    /// D-2: an applied migration that was changed afterwards is refused.
    async fn d_2_a_changed_migration_is_refused(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        Db::open_at(&url, &[ONE]).await.expect("the first version").close().await;
        let changed = SchemaMigration { sql: "CREATE TABLE things (id BIGINT PRIMARY KEY);", ..ONE };
        let error = fails(&url, &[changed, TWO]).await;
        assert_eq!(error, MigrationError::Changed { number: 1, name: "one".to_owned() });
        assert_eq!(things(&Db::open_at(&url, &[ONE]).await.expect("untouched")).await, 1);
    }

    /// D-2: a failed migration leaves the database unchanged, including earlier migrations of the same start.
    async fn d_2_a_failing_migration_changes_nothing(database: Arc<TestDatabase>) {
        let url = database.create_empty().await;
        Db::open_at(&url, &[ONE]).await.expect("the first version").close().await;
        let broken = SchemaMigration {
            number: 3,
            name: "broken",
            sql: "INSERT INTO things VALUES (3, 'third', NULL);\nINSERT INTO nowhere VALUES (1);",
        };
        let error = fails(&url, &[ONE, TWO, broken]).await;
        assert!(matches!(&error, MigrationError::Failed { number: 3, .. }), "{error}");
        assert_eq!(things(&Db::open_at(&url, &[ONE]).await.expect("still at one")).await, 1);
    }
}

/// D-2: SQLite can only rebuild a table with foreign keys off; the keys are checked before the commit.
#[test]
fn d_2_a_migration_cannot_leave_dangling_rows() {
    forge_testkit::database::run(TestDatabaseEngine::Sqlite, |database| async move {
        let url = database.create_empty().await;
        let rebuild = SchemaMigration {
            number: 2,
            name: "rebuild",
            sql: "CREATE TABLE parts (thing BIGINT NOT NULL REFERENCES things (id));
INSERT INTO parts VALUES (1);
CREATE TABLE things_new (id BIGINT PRIMARY KEY, name TEXT);
INSERT INTO things_new SELECT id, name FROM things;
DROP TABLE things;
ALTER TABLE things_new RENAME TO things;",
        };
        let dangling =
            SchemaMigration { number: 3, name: "dangling", sql: "INSERT INTO parts VALUES (99);" };
        Db::open_at(&url, &[ONE, rebuild])
            .await
            .expect("a rebuilt table keeps what refers to it")
            .close()
            .await;
        let error = fails(&url, &[ONE, rebuild, dangling]).await;
        assert_eq!(error, MigrationError::DanglingRows { table: "parts".to_owned() });
    });
}
