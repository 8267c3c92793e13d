//! Wake-ups come after the commit, and only then.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use forge_store::{Channel, Db, StoreError, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::{Engine, TestDatabase};

async fn put_and_wake(db: &Db, key: &'static str, keep: bool) -> Result<(), StoreError> {
    db.write(move |tx| {
        Box::pin(async move {
            tx.execute(stmt("INSERT INTO meta VALUES ($1, '')").bind(key)).await?;
            tx.wake(Channel::Events, key);
            tx.wake(Channel::Events, key);
            if keep { Ok(()) } else { Err(StoreError::NoRow) }
        })
    })
    .await
}

both_databases! {
    /// D-1: the hint is heard after the commit, once, on its channel only, and never for what was undone.
    async fn d_1_a_wake_up_follows_the_commit(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let mut events = db.subscribe(Channel::Events);
        let mut effects = db.subscribe(Channel::Effects);
        assert_eq!(put_and_wake(&db, "undone", false).await, Err(StoreError::NoRow));
        put_and_wake(&db, "kept", true).await.expect("a write");
        let wake = events.next().await.expect("a wake-up");
        assert_eq!(wake.about.as_deref(), Some("kept"));
        let read = db.fetch_one(stmt("SELECT key FROM meta WHERE key = $1").bind(wake.about)).await;
        assert!(read.is_ok(), "what woke us is there to be read");
        put_and_wake(&db, "next", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("next"), "heard once");
        db.write::<_, StoreError, _>(|tx| Box::pin(async move { tx.wake(Channel::Effects, "effect"); Ok(()) })).await.expect("a write");
        assert_eq!(effects.next().await.expect("a wake-up").about.as_deref(), Some("effect"), "other channels are silent");
    }

    /// D-1: in a group, the hints of the undone job go and those around it stay.
    async fn d_1_an_undone_write_in_a_group_is_not_heard_of(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let mut events = db.subscribe(Channel::Events);
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

/// D-1: other nodes hear of it by LISTEN/NOTIFY.
#[test]
fn d_1_another_node_is_woken() {
    forge_testkit::database::run(Engine::Postgres, |database| async move {
        let here = database.open().await;
        let there = database.open().await;
        let mut events = there.subscribe(Channel::Events);
        assert_eq!(put_and_wake(&here, "undone", false).await, Err(StoreError::NoRow));
        put_and_wake(&here, "kept", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("kept"));
    });
}

/// D-1: a listener that lost its connection comes back, and says that hints may have been lost.
#[test]
fn d_1_a_cut_listener_returns_and_says_look_at_everything() {
    forge_testkit::database::run(Engine::Postgres, |database| async move {
        let here = database.open().await;
        let there = database.open().await;
        let mut events = there.subscribe(Channel::Events);
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'";
        here.fetch_all(stmt(cut)).await.expect("two listeners cut");
        assert_eq!(events.next().await.expect("a wake-up").about, None);
        put_and_wake(&here, "kept", true).await.expect("a write");
        assert_eq!(events.next().await.expect("a wake-up").about.as_deref(), Some("kept"));
    });
}
