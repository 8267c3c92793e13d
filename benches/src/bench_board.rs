//! An engine with a database only: effects are planned and not performed.

use std::sync::Arc;

use forge_engine::{
    DataDirectory, Engine, EngineLimits, EngineParts, FaultPoints, GitProgram, IdSource,
    ServerEnvironment, SystemClock,
};
use forge_store::DatabaseUrl;
use forge_testkit::database::{TestDatabase, TestDatabaseEngine as Database};
use forge_testkit::test_repository::search_path;
use tempfile::TempDir;
use uuid::Uuid;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;

/// An engine, its directory and its database.
#[derive(Debug)]
pub(crate) struct BenchBoard {
    directory: TempDir,
    engine: Engine,
    /// On PostgreSQL: the database to drop.
    database: Option<TestDatabase>,
}

impl BenchBoard {
    pub(crate) async fn open(kind: Database) -> Result<Self, BenchError> {
        let directory = bench_dir()?;
        let database = match kind {
            Database::Sqlite => None,
            Database::Postgres => Some(TestDatabase::migrated(kind).await),
        };
        let home = DataDirectory::open(&directory.path().join("data"), || Uuid::from_u128(1))?;
        // The embedded database is beside the program, on the disk that is measured.
        let url = database.as_ref().map(|database| database.url().clone());
        let url = url.unwrap_or_else(|| DatabaseUrl::sqlite(home.database()));
        let parts = EngineParts {
            home,
            database: Some(url),
            workspace_root: None,
            git: GitProgram::locate(&search_path())?,
            clock: Arc::new(SystemClock),
            ids: IdSource::Random,
            faults: FaultPoints::none(),
            environment: ServerEnvironment::default(),
            limits: EngineLimits::default(),
        };
        let engine = Engine::start(parts).await?;
        Ok(Self { directory, engine, database })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// A directory that is removed with the board.
    pub(crate) fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    pub(crate) async fn close(self) {
        self.engine.die().await;
        if let Some(database) = self.database {
            database.remove().await;
        }
    }
}
