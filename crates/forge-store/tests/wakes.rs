//! Wake-ups are sent after the commit only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use forge_store::{Db, StoreError, WakeChannel, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::{TestDatabase, TestDatabaseEngine};

async fn put_and_wake(db: &Db, key: &'static str, keep: bool) -> Result<(), StoreError> {
    db.write(move |tx| {
        Box::pin(async move {
            tx.execute(stmt("INSERT INTO meta VALUES ($1, '')").bind(key)).await?;
            tx.wake(WakeChannel::Events, key);
            tx.wake(WakeChannel::Events, key);
            if keep { Ok(()) } else { Err(StoreError::NoRow) }
        })
    })
    .await
}

both_databases! {
    /// D-1: a hint arrives after the commit, once, on its channel only, and never for a rolled-back write.
    async fn d_1_a_wake_up_follows_the_commit(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let mut events = db.subscribe(WakeChannel::Events);
        let mut effects = db.subscribe(WakeChannel::Effects);
        assert_eq!(put_and_wake(&db, "undone", false).await, Err(StoreError::NoRow));
        put_and_wake(&db, "kept", true).await.expect("a write");
        let wake = events.next().await.expect("a wake-up");
        assert_eq!(wake.about.as_deref(), Some("kept"));
        let read = db.fetch_one(stmt("SELECT key FROM meta WHERE key = $1").bind(wake.about)).await;
        assert!(read.is_ok(), "what woke us is there to be read");
        put_and_wake(&db, "next", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("next"), "heard once");
        db.write::<_, StoreError, _>(|tx| Box::pin(async move { tx.wake(WakeChannel::Effects, "effect"); Ok(()) })).await.expect("a write");
        assert_eq!(effects.next().await.expect("a wake-up").about.as_deref(), Some("effect"), "other channels are silent");
    }

    /// D-1: in a group, the hints of a rolled-back job are dropped and the others stay.
    async fn d_1_a_rolled_back_write_in_a_group_sends_no_wake_up(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let mut events = db.subscribe(WakeChannel::Events);
        let (first, second, third) = tokio::join!(
            put_and_wake(&db, "first", true),
            put_and_wake(&db, "second", false),
            put_and_wake(&db, "third", true),
        );
        assert_eq!((first, second, third), (Ok(()), Err(StoreError::NoRow), Ok(())));
        put_and_wake(&db, "last", true).await.expect("a write");
        let mut heard = Vec::new();
        while heard.last().map(String::as_str) != Some("last") {
            heard.push(events.next().await.expect("a wake-up").about.expect("a subject"));
        }
        heard.sort();
        assert_eq!(heard, ["first", "last", "third"]);
    }
}

/// D-1: other nodes are woken by LISTEN/NOTIFY.
#[test]
fn d_1_another_node_is_woken() {
    forge_testkit::database::run(TestDatabaseEngine::Postgres, |database| async move {
        let here = database.open().await;
        let there = database.open().await;
        let mut events = there.subscribe(WakeChannel::Events);
        assert_eq!(put_and_wake(&here, "undone", false).await, Err(StoreError::NoRow));
        put_and_wake(&here, "kept", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("kept"));
    });
}

/// D-1: a listener that lost its connection reconnects, and reports that hints may have been lost.
#[test]
fn d_1_a_disconnected_listener_reconnects_and_wakes_everything() {
    forge_testkit::database::run(TestDatabaseEngine::Postgres, |database| async move {
        let here = database.open().await;
        let there = database.open().await;
        let mut events = there.subscribe(WakeChannel::Events);
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'";
        here.fetch_all(stmt(cut)).await.expect("two listeners cut");
        assert_eq!(events.next().await.expect("a wake-up").about, None);
        put_and_wake(&here, "kept", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("kept"));
    });
}
