//! From the first version to this one.

use std::sync::Arc;

use forge_store::{Db, MIGRATIONS, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

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
}
