//! The lock of a workspace (W-4): one holder at a time, by name, and an agent cannot release it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests start git and other programs as a person would"
)]

mod support;

use std::time::Duration;

use forge_git::{LOCK_FILE, LockHolder, LockWait, WorkspaceLockError, WorkspaceLocks};
use support::{World, directory, git_in, holder, read, signature, write};

fn locks(world: &World) -> WorkspaceLocks {
    // The locks of a second process: only the directory is shared.
    WorkspaceLocks::new(world.home().join("locks"))
}

#[tokio::test]
async fn w_4_a_second_holder_is_rejected_with_the_name_of_the_first() {
    let world = World::new().await;
    let name = directory("one");
    let hold = world.hold("one").await;
    for locks in [world.workspace_locks.clone(), locks(&world)] {
        let refused = locks.acquire(&world.root, &name, holder("me"), LockWait::Reject).await;
        match refused {
            Err(WorkspaceLockError::Locked { holder: Some(found), .. }) => {
                assert_eq!(found, holder("a test"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(locks.holder(&name), Some(holder("a test")));
    }
    drop(hold);
    drop(world.release_holds().await);
    assert_eq!(world.workspace_locks.holder(&name), None);
    world.hold("one").await;
}

#[tokio::test]
async fn w_4_a_waiting_caller_gets_the_lock_or_fails_at_the_deadline() {
    let world = World::new().await;
    let name = directory("one");
    let first = locks(&world)
        .acquire(&world.root, &name, holder("first"), LockWait::Reject)
        .await
        .expect("is free");
    let short = LockWait::Wait(Duration::from_millis(60));
    for others in [locks(&world), world.workspace_locks.clone()] {
        let refused = others.acquire(&world.root, &name, holder("second"), short).await;
        assert!(matches!(refused, Err(WorkspaceLockError::Locked { .. })), "{refused:?}");
    }
    let long = LockWait::Wait(Duration::from_secs(60));
    let waiting = world.workspace_locks.acquire(&world.root, &name, holder("second"), long);
    let (second, ()) = tokio::join!(waiting, async { drop(first) });
    second.expect("its turn came");
}

#[tokio::test]
async fn w_4_the_lock_file_names_the_holder_and_git_ignores_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let sign = worktree.path().join(LOCK_FILE);
    let found: LockHolder = serde_json::from_str(&read(&sign)).expect("a holder");
    assert_eq!(found, holder("a test"));
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    write(&worktree.path().join("work"), "w\n");
    git_in(worktree.path(), &["add", "-A"]);
    let collected = worktree.commit_all("m", &signature()).await.expect("commits");
    let files = git_in(worktree.path(), &["ls-tree", "--name-only", collected.head.as_str()]);
    assert_eq!(files, "a.txt\ndir\nwork\n");
    let path = worktree.path().to_owned();
    drop(worktree);
    drop(world.release_holds().await);
    assert!(path.exists() && !sign.exists());
}

#[tokio::test]
async fn w_4_deleting_the_lock_file_does_not_release_the_lock() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    std::fs::remove_file(worktree.path().join(LOCK_FILE)).expect("there");
    let refused =
        locks(&world).acquire(&world.root, &directory("one"), holder("me"), LockWait::Reject).await;
    assert!(matches!(refused, Err(WorkspaceLockError::Locked { .. })), "{refused:?}");
}

#[tokio::test]
async fn w_4_children_do_not_inherit_the_lock() {
    let world = World::new().await;
    let hold = world.hold("one").await;
    let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("starts");
    drop(hold);
    drop(world.release_holds().await);
    let again =
        locks(&world).acquire(&world.root, &directory("one"), holder("me"), LockWait::Reject).await;
    child.kill().expect("ends");
    child.wait().expect("is gone");
    again.expect("free although the child lives");
}

#[tokio::test]
async fn w_4_lock_files_of_dead_holders_are_removed_and_those_of_live_ones_stay() {
    let world = World::new().await;
    for name in ["held", "dead", "reused", "alive", "garbled"] {
        std::fs::create_dir(world.root.path().join(name)).expect("made");
    }
    let sign = |name: &str, holder: &LockHolder| {
        let text = serde_json::to_string(holder).expect("text");
        write(&world.root.path().join(name).join(LOCK_FILE), text);
    };
    let _held = world.hold("held").await;
    let mut dead = holder("dead");
    dead.process.boot_id = "another boot".to_owned();
    sign("dead", &dead);
    let mut reused = holder("reused");
    reused.process.start_ticks += 1;
    sign("reused", &reused);
    sign("alive", &holder("alive"));
    write(&world.root.path().join("garbled").join(LOCK_FILE), "{");
    let released = locks(&world).release_stale(&world.root).await.expect("looks");
    let names: Vec<_> = released.iter().map(|lock| lock.directory.as_str()).collect();
    assert_eq!(names, ["dead", "garbled", "reused"]);
    for (name, there) in [("held", true), ("alive", true), ("dead", false), ("reused", false)] {
        assert_eq!(world.root.path().join(name).join(LOCK_FILE).exists(), there, "{name}");
    }
}

#[tokio::test]
async fn w_11_a_git_lock_is_removed_only_when_no_live_process_holds_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("work"), "w\n");
    let lock = worktree.git_dir().join("index.lock");
    let open = std::fs::File::create(&lock).expect("made");
    let refused = worktree.commit_all("m", &signature()).await.expect_err("a process holds it");
    assert!(refused.to_string().contains("still works in"), "{refused}");
    assert!(lock.exists());
    drop(open);
    worktree.commit_all("m", &signature()).await.expect("no process held it");
    assert!(!lock.exists());
}
