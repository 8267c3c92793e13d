//! An engine with nothing but a database: steps are planned and not carried out.

use std::sync::Arc;

use forge_engine::{Engine, Environment, Faults, Git, Home, Ids, Limits, Parts, SystemClock};
use forge_store::DatabaseUrl;
use forge_testkit::database::{Engine as Database, TestDatabase};
use forge_testkit::repository::search_path;
use tempfile::TempDir;
use uuid::Uuid;

use crate::bench_error::BenchError;
use crate::place::place;

/// An engine, its directory and its database.
#[derive(Debug)]
pub(crate) struct Board {
    directory: TempDir,
    engine: Engine,
    /// On PostgreSQL: what is to be dropped.
    database: Option<TestDatabase>,
}

impl Board {
    pub(crate) async fn open(kind: Database) -> Result<Self, BenchError> {
        let directory = place()?;
        let database = match kind {
            Database::Sqlite => None,
            Database::Postgres => Some(TestDatabase::migrated(kind).await),
        };
        let home = Home::open(&directory.path().join("data"), || Uuid::from_u128(1))?;
        // The embedded one is beside the program, on the disk that counts.
        let url = database.as_ref().map(|database| database.url().clone());
        let url = url.unwrap_or_else(|| DatabaseUrl::sqlite(home.database()));
        let parts = Parts {
            home,
            database: Some(url),
            workspace_root: None,
            git: Git::locate(&search_path())?,
            clock: Arc::new(SystemClock),
            ids: Ids::Random,
            faults: Faults::none(),
            environment: Environment::default(),
            limits: Limits::default(),
        };
        let engine = Engine::start(parts).await?;
        Ok(Self { directory, engine, database })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// A directory that goes with the board.
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
