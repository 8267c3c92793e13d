//! A database per test, on either engine.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;

use forge_store::{DatabaseUrl, Db};
use futures::FutureExt;
use tempfile::TempDir;

use crate::postgres;

/// The database engine of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestDatabaseEngine {
    /// A file in a temporary directory.
    Sqlite,
    /// A separate database on a PostgreSQL server.
    Postgres,
}

/// The database of one test, removed when the test has ended.
#[derive(Debug)]
pub struct TestDatabase {
    engine: TestDatabaseEngine,
    url: DatabaseUrl,
    directory: TempDir,
    /// On PostgreSQL: the databases to drop.
    databases: std::sync::Mutex<Vec<String>>,
}

impl TestDatabase {
    /// A new database with the tables of this version.
    pub async fn migrated(engine: TestDatabaseEngine) -> Self {
        let (url, databases) = match engine {
            TestDatabaseEngine::Sqlite => (None, Vec::new()),
            TestDatabaseEngine::Postgres => {
                let (name, url) =
                    postgres::create_database(postgres::InitialContents::Tables).await;
                (Some(url), vec![name])
            }
        };
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self {
            engine,
            url: url.unwrap_or_else(|| DatabaseUrl::sqlite(directory.path().join("forge.db"))),
            directory,
            databases: std::sync::Mutex::new(databases),
        }
    }

    pub fn engine(&self) -> TestDatabaseEngine {
        self.engine
    }

    pub fn url(&self) -> &DatabaseUrl {
        &self.url
    }

    /// The address for another process, including the credentials.
    pub async fn address(&self) -> String {
        let name = {
            let databases = self.databases.lock().expect("no test panics while it holds this");
            databases.first().cloned()
        };
        match name {
            Some(name) => postgres::address_of(&name).await,
            None => self.url.to_string(),
        }
    }

    /// Opens the database; a second call behaves like a second node or a restarted process.
    pub async fn open(&self) -> Db {
        Db::open(&self.url).await.expect("the test's database opens")
    }

    /// The address of another new database on the same engine, without tables.
    pub async fn create_empty(&self) -> DatabaseUrl {
        match self.engine {
            TestDatabaseEngine::Sqlite => DatabaseUrl::sqlite(self.path("empty.db")),
            TestDatabaseEngine::Postgres => {
                let (name, url) =
                    postgres::create_database(postgres::InitialContents::Nothing).await;
                self.databases.lock().expect("no test panics while it holds this").push(name);
                url
            }
        }
    }

    /// A path in a directory that lives as long as the test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Drops the PostgreSQL databases, which are not in the temporary directory.
    pub async fn remove(&self) {
        let databases = std::mem::take(
            &mut *self.databases.lock().expect("no test panics while it holds this"),
        );
        for name in databases {
            postgres::drop_database(&name).await;
        }
    }
}

/// Runs a test's body with its own database, which is removed however the body ends.
pub fn run<B, F>(engine: TestDatabaseEngine, body: B)
where
    B: FnOnce(std::sync::Arc<TestDatabase>) -> F,
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let database = std::sync::Arc::new(TestDatabase::migrated(engine).await);
        let outcome = AssertUnwindSafe(body(database.clone())).catch_unwind().await;
        database.remove().await;
        if let Err(panic) = outcome {
            std::panic::resume_unwind(panic);
        }
    });
}

/// One body, two tests: `name::sqlite` and `name::postgres`.
///
/// ```text
/// use forge_testkit::{both_databases, database::TestDatabase};
/// use std::sync::Arc;
///
/// both_databases! {
///     /// D-2: the tables are there on both engines.
///     async fn d_2_it_opens(database: Arc<TestDatabase>) {
///         database.open().await.close().await;
///     }
/// }
/// ```
#[macro_export]
macro_rules! both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($($argument:tt)*) $body:block)*) => {$(
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "a body may need nothing from outside")]
            use super::*;

            async fn body($($argument)*) $body

            #[test]
            fn sqlite() {
                $crate::database::run($crate::database::TestDatabaseEngine::Sqlite, body);
            }

            #[test]
            fn postgres() {
                $crate::database::run($crate::database::TestDatabaseEngine::Postgres, body);
            }
        }
    )*};
}
