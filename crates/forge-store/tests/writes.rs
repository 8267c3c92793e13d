//! Writes are atomic, are durable once answered, and share a COMMIT where they can.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};

use forge_store::{ConstraintRule, Db, RowLock, StoreError, Tx, stmt};
use forge_testkit::both_databases;
use forge_testkit::database::{TestDatabase, TestDatabaseEngine};
use futures::FutureExt;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

#[derive(Debug, PartialEq)]
enum WriteRefused {
    ByRule,
    ByStore(StoreError),
}

impl From<StoreError> for WriteRefused {
    fn from(error: StoreError) -> Self {
        Self::ByStore(error)
    }
}

async fn put(tx: &mut Tx, key: &str, value: &str) -> Result<u64, StoreError> {
    tx.execute(stmt("INSERT INTO meta (key, value) VALUES ($1, $2)").bind(key).bind(value)).await
}

async fn put_one(db: &Db, key: &str) -> Result<u64, StoreError> {
    let key = key.to_owned();
    db.write(move |tx| {
        let key = key.clone();
        Box::pin(async move { put(tx, &key, "").await })
    })
    .await
}

async fn note_one(db: &Db, key: &str) -> Result<u64, StoreError> {
    let key = key.to_owned();
    db.write_relaxed(move |tx| {
        let key = key.clone();
        Box::pin(async move { put(tx, &key, "").await })
    })
    .await
}

async fn keys(db: &Db) -> Vec<String> {
    let rows = db.fetch_all(stmt("SELECT key FROM meta ORDER BY key")).await.expect("rows");
    rows.iter().map(|row| row.get("key").expect("a key")).collect()
}

/// Polls once, so that the write is queued, and drops the future.
fn begin_and_hang_up<T>(write: impl Future<Output = T>) {
    let mut write = pin!(write);
    let poll = write.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(poll, Poll::Pending));
}

/// A write that blocks the writer until the semaphore opens; returns once it does.
async fn hold_writer(db: &Db) -> (Arc<Semaphore>, tokio::task::JoinHandle<Result<(), StoreError>>) {
    let entered = Arc::new(Notify::new());
    let gate = Arc::new(Semaphore::new(0));
    let write = {
        let (db, entered, gate) = (db.clone(), entered.clone(), gate.clone());
        async move {
            db.write(move |_| {
                let (entered, gate) = (entered.clone(), gate.clone());
                Box::pin(async move {
                    entered.notify_one();
                    let _open = gate.acquire().await.expect("the gate is never closed");
                    Ok(())
                })
            })
            .await
        }
    };
    let task = tokio::spawn(write);
    entered.notified().await;
    (gate, task)
}

both_databases! {
    /// D-1: an `Err` undoes only the work of its own closure, also in a shared transaction.
    async fn d_1_an_error_undoes_only_its_own_write(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let (gate, held) = hold_writer(&db).await;
        let mut writes = JoinSet::new();
        for number in 0..30 {
            let db = db.clone();
            writes.spawn(async move {
                let outcome = db
                    .write(move |tx| {
                        Box::pin(async move {
                            put(tx, &format!("{number:02}"), "").await?;
                            match number % 3 {
                                0 => Err(WriteRefused::ByRule),
                                _ => Ok(number),
                            }
                        })
                    })
                    .await;
                (number, outcome)
            });
        }
        gate.add_permits(1);
        held.await.expect("no panic").expect("the holder");
        for (number, outcome) in writes.join_all().await {
            match number % 3 {
                0 => assert_eq!(outcome, Err(WriteRefused::ByRule)),
                _ => assert_eq!(outcome, Ok(number)),
            }
        }
        let expected: Vec<String> = (0..30).filter(|n| n % 3 != 0).map(|n| format!("{n:02}")).collect();
        assert_eq!(keys(&db).await, expected);
    }

    /// D-1: notes are visible once answered, in order, with writes between them; a note that was answered before the
    /// process ended is still there.
    async fn d_1_notes_and_writes_keep_their_order(database: Arc<TestDatabase>) {
        let db = database.open().await;
        for (place, key) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
            match place % 2 {
                0 => note_one(&db, key).await.expect("a note"),
                _ => put_one(&db, key).await.expect("a write"),
            };
            assert_eq!(keys(&db).await.len(), place + 1);
        }
        let mut both = JoinSet::new();
        for number in 0..40 {
            let (db, key) = (db.clone(), format!("x{number:02}"));
            both.spawn(async move {
                if number % 3 == 0 { note_one(&db, &key).await } else { put_one(&db, &key).await }
            });
        }
        assert!(both.join_all().await.into_iter().all(|done| done == Ok(1)));
        drop(db);
        assert_eq!(keys(&database.open().await).await.len(), 45);
    }

    /// T-9: a caller that drops the future changes nothing: the write completes, also if it had not started when the
    /// database began to close.
    async fn t_9_a_write_survives_its_caller(database: Arc<TestDatabase>) {
        let db = database.open().await;
        // As many writes as can run at once, so that the next one must wait: it is accepted, and cannot have ended.
        let writers = match database.engine() {
            TestDatabaseEngine::Sqlite => 1,
            TestDatabaseEngine::Postgres => 16,
        };
        let mut held = Vec::new();
        for _ in 0..writers {
            held.push(hold_writer(&db).await);
        }
        begin_and_hang_up(put_one(&db, "kept"));
        // Closing refuses new work when it is first polled, then finishes accepted writes.
        let mut closing = Box::pin(db.close());
        assert!(closing.as_mut().now_or_never().is_none(), "it waits for them");
        let refused = db.fetch_all(stmt("SELECT key FROM meta")).now_or_never();
        assert!(matches!(refused, Some(Err(StoreError::Closed))), "{refused:?}");
        for (gate, write) in held {
            gate.add_permits(1);
            write.await.expect("no panic").expect("a writer");
        }
        closing.await;
        assert_eq!(keys(&database.open().await).await, ["kept"]);
    }

    /// T-9: a caller that drops the future inside the closure leaves no partial write.
    async fn t_9_a_write_is_atomic_when_its_caller_is_dropped_midway(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let (entered, gate) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(0)));
        let write = {
            let (entered, gate) = (entered.clone(), gate.clone());
            db.write::<_, StoreError, _>(move |tx| {
                let (entered, gate) = (entered.clone(), gate.clone());
                Box::pin(async move {
                    put(tx, "first", "").await?;
                    entered.notify_one();
                    let _open = gate.acquire().await.expect("the gate is never closed");
                    put(tx, "second", "").await
                })
            })
        };
        tokio::select! {
            biased;
            () = entered.notified() => {}
            outcome = write => panic!("answered before it ended: {outcome:?}"),
        }
        assert_eq!(keys(&db).await, Vec::<String>::new(), "nothing is seen of a write in progress");
        gate.add_permits(1);
        db.close().await;
        assert_eq!(keys(&database.open().await).await, ["first", "second"]);
    }

    /// D-1: 64 concurrent writers of one row lose no update.
    async fn d_1_concurrent_increments_are_all_counted(database: Arc<TestDatabase>) {
        let db = database.open().await;
        db.write::<_, StoreError, _>(|tx| Box::pin(put(tx, "counter", "0"))).await.expect("a counter");
        let mut writers = JoinSet::new();
        for _ in 0..64 {
            let db = db.clone();
            writers.spawn(async move {
                for _ in 0..5 {
                    // Read, then write: only the row lock prevents two from reading the same value.
                    db.write::<_, StoreError, _>(|tx| {
                        Box::pin(async move {
                            let read = stmt("SELECT value FROM meta WHERE key = 'counter'").lock_rows(RowLock::Update);
                            let value: i64 = tx.fetch_one(read).await?.parse("value")?;
                            let next = (value + 1).to_string();
                            tx.execute(stmt("UPDATE meta SET value = $1 WHERE key = 'counter'").bind(next)).await
                        })
                    })
                    .await
                    .expect("an increment");
                }
            });
        }
        writers.join_all().await;
        let row = db.fetch_one(stmt("SELECT value FROM meta")).await.expect("the counter");
        assert_eq!(row.parse::<i64>("value").unwrap(), 320);
    }

    /// P-4: a panic in a closure undoes its own work; all others continue.
    async fn p_4_a_panic_is_an_error_of_its_own_write(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let (gate, held) = hold_writer(&db).await;
        let panicking = {
            let db = db.clone();
            tokio::spawn(async move {
                db.write::<(), StoreError, _>(|tx| {
                    Box::pin(async move {
                        put(tx, "half", "").await?;
                        panic!("on purpose")
                    })
                })
                .await
            })
        };
        let other = {
            let db = db.clone();
            tokio::spawn(async move { put_one(&db, "other").await })
        };
        gate.add_permits(1);
        held.await.expect("no panic").expect("the holder");
        assert_eq!(panicking.await.expect("the panic stays inside"), Err(StoreError::Panicked));
        assert_eq!(other.await.expect("no panic"), Ok(1));
        assert_eq!(put_one(&db, "later").await, Ok(1));
        assert_eq!(keys(&db).await, ["later", "other"]);
    }

    /// D-2: ignoring a statement's error cannot lead to a partial write on either engine.
    async fn d_2_an_ignored_error_undoes_the_write(database: Arc<TestDatabase>) {
        let db = database.open().await;
        put_one(&db, "taken").await.expect("an insert");
        let outcome = db
            .write::<_, StoreError, _>(|tx| {
                Box::pin(async move {
                    put(tx, "before", "").await?;
                    let clash = put(tx, "taken", "").await;
                    assert!(matches!(clash, Err(StoreError::Constraint { rule: ConstraintRule::Unique, .. })), "{clash:?}");
                    assert_eq!(put(tx, "after", "").await, Err(StoreError::Aborted));
                    Ok(())
                })
            })
            .await;
        assert_eq!(outcome, Err(StoreError::Aborted));
        assert_eq!(keys(&db).await, ["taken"]);
    }

    /// D-2: a missing row is an answer, not a failure of the transaction.
    async fn d_2_a_missing_row_does_not_fail_the_transaction(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let outcome = db
            .write::<_, StoreError, _>(|tx| {
                Box::pin(async move {
                    let none = tx.fetch_one(stmt("SELECT key FROM meta")).await;
                    assert!(matches!(none, Err(StoreError::NoRow)));
                    let row = tx
                        .fetch_one(stmt("INSERT INTO meta VALUES ('a', 'b'), ('c', 'd') RETURNING value"))
                        .await?;
                    row.get::<String>("value")
                })
            })
            .await;
        assert_eq!(outcome.as_deref(), Ok("b"));
        assert_eq!(keys(&db).await, ["a", "c"], "RETURNING one row inserted both");
    }

    /// D-1: after `close` everything is refused, and answered writes are stored.
    async fn d_1_a_closed_database_refuses(database: Arc<TestDatabase>) {
        let db = database.open().await;
        put_one(&db, "kept").await.expect("an insert");
        db.close().await;
        db.close().await;
        assert_eq!(put_one(&db, "late").await, Err(StoreError::Closed));
        assert!(matches!(db.fetch_all(stmt("SELECT key FROM meta")).await, Err(StoreError::Closed)));
        assert_eq!(keys(&database.open().await).await, ["kept"]);
    }

    /// D-1: a write inside a write would deadlock; it is refused at once.
    async fn d_1_a_write_inside_a_write_is_refused(database: Arc<TestDatabase>) {
        let db = database.open().await;
        let inner = db.clone();
        let outcome = db
            .write::<u64, StoreError, _>(move |_| {
                let inner = inner.clone();
                Box::pin(async move { put_one(&inner, "inner").await })
            })
            .await;
        assert!(matches!(outcome, Err(StoreError::Statement { .. })), "{outcome:?}");
        assert_eq!(keys(&db).await, Vec::<String>::new());
    }

    /// P-4: a process that dies inside a transaction leaves all answered writes and nothing else.
    async fn p_4_an_interrupted_transaction_leaves_nothing(database: Arc<TestDatabase>) {
        let db = database.open().await;
        put_one(&db, "answered").await.expect("an insert");
        match database.engine() {
            // The files in the middle of a transaction equal those that SIGKILL would leave at that moment.
            TestDatabaseEngine::Sqlite => {
                let original = database.url().sqlite_path().expect("a file").to_owned();
                let copy = database.path("copy.db");
                let (from, to) = (original.clone(), copy.clone());
                db.write::<_, StoreError, _>(move |tx| {
                    let (from, to) = (from.clone(), to.clone());
                    Box::pin(async move {
                        for number in 0..2_000 {
                            put(tx, &format!("cut off {number}"), &"x".repeat(2_000)).await?;
                        }
                        for suffix in ["", "-wal"] {
                            let name = |path: &std::path::Path| format!("{}{suffix}", path.display());
                            std::fs::copy(name(&from), name(&to)).expect("a copy");
                        }
                        Ok(())
                    })
                })
                .await
                .expect("the writes");
                let after = Db::open(&forge_store::DatabaseUrl::sqlite(copy)).await.expect("the copy opens");
                assert_eq!(keys(&after).await, ["answered"]);
                assert_eq!(keys(&db).await.len(), 2_001);
            }
            TestDatabaseEngine::Postgres => {
                let killer = db.clone();
                let outcome = db
                    .write::<_, StoreError, _>(move |tx| {
                        let killer = killer.clone();
                        Box::pin(async move {
                            put(tx, "cut off", "").await?;
                            let pid: i64 = tx.fetch_one(stmt("SELECT pg_backend_pid() AS pid")).await?.get("pid")?;
                            let kill = stmt("SELECT pg_terminate_backend(CAST($1 AS INTEGER))").bind(pid);
                            killer.fetch_all(kill).await?;
                            put(tx, "never", "").await
                        })
                    })
                    .await;
                assert!(matches!(outcome, Err(StoreError::Unavailable { .. })), "{outcome:?}");
                assert_eq!(keys(&db).await, ["answered"]);
            }
        }
    }
}

/// D-1: queued writes share a COMMIT, up to 256 of them.
#[test]
fn d_1_queued_writes_share_a_commit() {
    forge_testkit::database::run(TestDatabaseEngine::Sqlite, |database| async move {
        let db = database.open().await;
        let (gate, held) = hold_writer(&db).await;
        let mut writes: Vec<_> = (0..600)
            .map(|number| Box::pin(tokio::task::unconstrained(put_one_named(&db, number))))
            .collect();
        for write in &mut writes {
            // The first poll queues it; `unconstrained`, or the runtime would make some of so many wait.
            assert!(write.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        gate.add_permits(1);
        held.await.expect("no panic").expect("the holder");
        assert!(futures::future::join_all(writes).await.iter().all(Result::is_ok));
        let stats = db.write_stats();
        assert_eq!(stats.writes, 601);
        assert_eq!(stats.commits, 3, "256 + 256 + 89");
        assert_eq!(keys(&db).await.len(), 600);
    });
}

async fn put_one_named(db: &Db, number: u32) -> Result<u64, StoreError> {
    put_one(db, &number.to_string()).await
}

/// D-1: no write of a group is answered before its COMMIT, so a failed COMMIT is the answer to all.
#[test]
fn d_1_a_failed_commit_fails_the_whole_group() {
    forge_testkit::database::run(TestDatabaseEngine::Sqlite, |database| async move {
        let db = database.open().await;
        // A deferred constraint is the only thing that a real COMMIT can still refuse.
        let table =
            "CREATE TABLE late (parent TEXT REFERENCES meta (key) DEFERRABLE INITIALLY DEFERRED)";
        db.write::<_, StoreError, _>(move |tx| Box::pin(tx.execute(stmt(table))))
            .await
            .expect("a table");
        let (gate, held) = hold_writer(&db).await;
        let breaking = db.write::<_, StoreError, _>(|tx| {
            Box::pin(tx.execute(stmt("INSERT INTO late VALUES ('no')")))
        });
        let writes =
            futures::future::join3(put_one(&db, "before"), breaking, put_one(&db, "after"));
        let mut writes = pin!(writes);
        assert!(writes.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        gate.add_permits(1);
        let (before, breaking, after) = writes.await;
        for outcome in [before, breaking, after, held.await.expect("no panic").map(|()| 0)] {
            let refused = matches!(
                outcome,
                Err(StoreError::Constraint { rule: ConstraintRule::ForeignKey, .. })
            );
            assert!(refused, "{outcome:?}");
        }
        assert_eq!(keys(&db).await, Vec::<String>::new());
        assert_eq!(put_one(&db, "later").await, Ok(1), "the writer goes on");
        assert_eq!(keys(&db).await, ["later"]);
    });
}

/// D-1: the loser of a deadlock is run again from its start, without an error.
#[test]
fn d_1_a_deadlock_is_retried() {
    forge_testkit::database::run(TestDatabaseEngine::Postgres, |database| async move {
        let db = database.open().await;
        put_one(&db, "a").await.expect("an insert");
        put_one(&db, "b").await.expect("an insert");
        let attempts = Arc::new(AtomicU32::new(0));
        let met = Arc::new(tokio::sync::Barrier::new(2));
        let mut writes = JoinSet::new();
        for (first, second) in [("a", "b"), ("b", "a")] {
            let (db, attempts, met) = (db.clone(), attempts.clone(), met.clone());
            writes.spawn(async move {
                db.write::<_, StoreError, _>(move |tx| {
                    let (attempts, met) = (attempts.clone(), met.clone());
                    Box::pin(async move {
                        let append = "UPDATE meta SET value = value || 'x' WHERE key = $1";
                        tx.execute(stmt(append).bind(first)).await?;
                        // Only the first two attempts deadlock; the third is the loser's second.
                        if attempts.fetch_add(1, Ordering::SeqCst) < 2 {
                            met.wait().await;
                        }
                        tx.execute(stmt(append).bind(second)).await
                    })
                })
                .await
            });
        }
        assert_eq!(writes.join_all().await, [Ok(1), Ok(1)]);
        assert!(attempts.load(Ordering::SeqCst) >= 3, "a write lost and was run again");
        let rows = db.fetch_all(stmt("SELECT value FROM meta")).await.expect("rows");
        assert!(rows.iter().all(|row| row.get::<String>("value").unwrap() == "xx"));
    });
}

/// D-1: SQLite before 3.51.3 can corrupt a WAL database.
#[test]
fn d_1_the_bundled_sqlite_is_new_enough() {
    forge_testkit::database::run(TestDatabaseEngine::Sqlite, |database| async move {
        let version = database.open().await.fetch_engine_version().await.expect("a version");
        let numbers: Vec<u32> =
            version.split('.').map(|part| part.parse().expect("a number")).collect();
        assert!(numbers >= vec![3, 51, 3], "{version}");
    });
}

/// D-1: the settings that make an answered write durable on SQLite are on.
#[test]
fn d_1_sqlite_writes_are_durable() {
    forge_testkit::database::run(TestDatabaseEngine::Sqlite, |database| async move {
        let db = database.open().await;
        let settings = db
            .write::<_, StoreError, _>(|tx| {
                Box::pin(async move {
                    let mode: String =
                        tx.fetch_one(stmt("PRAGMA journal_mode")).await?.get("journal_mode")?;
                    let sync: i64 =
                        tx.fetch_one(stmt("PRAGMA synchronous")).await?.get("synchronous")?;
                    let keys: i64 =
                        tx.fetch_one(stmt("PRAGMA foreign_keys")).await?.get("foreign_keys")?;
                    Ok((mode, sync, keys))
                })
            })
            .await;
        assert_eq!(settings, Ok(("wal".to_owned(), 2, 1)));
        let written = db.fetch_all(stmt("INSERT INTO meta VALUES ('a', 'b')")).await;
        assert!(
            matches!(written, Err(StoreError::Unavailable { .. })),
            "readers cannot write: {written:?}"
        );
    });
}
