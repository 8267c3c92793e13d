//! The lock of a workspace (W-4): one at a time, by name, and nothing that an agent can undo.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests start git and other programs as a person would"
)]

mod support;

use std::time::Duration;

use forge_git::{HoldError, Holder, LOCK_FILE, Patience, WorkspaceLocks};
use support::{World, directory, git_in, holder, read, signature, write};

fn locks(world: &World) -> WorkspaceLocks {
    // As another process would make them: nothing shared but the directory.
    WorkspaceLocks::new(world.home().join("locks"))
}

#[tokio::test]
async fn w_4_a_second_holder_is_rejected_and_told_who_has_it() {
    let world = World::new().await;
    let name = directory("one");
    let hold = world.hold("one").await;
    for locks in [world.workspace_locks.clone(), locks(&world)] {
        let refused = locks.hold(&world.root, &name, holder("me"), Patience::Reject).await;
        match refused {
            Err(HoldError::Held { holder: Some(found), .. }) => {
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
async fn w_4_who_waits_gets_it_when_it_is_free_and_gives_up_at_the_deadline() {
    let world = World::new().await;
    let name = directory("one");
    let first = locks(&world)
        .hold(&world.root, &name, holder("first"), Patience::Reject)
        .await
        .expect("is free");
    let short = Patience::Wait(Duration::from_millis(60));
    for others in [locks(&world), world.workspace_locks.clone()] {
        let refused = others.hold(&world.root, &name, holder("second"), short).await;
        assert!(matches!(refused, Err(HoldError::Held { .. })), "{refused:?}");
    }
    let long = Patience::Wait(Duration::from_secs(60));
    let waiting = world.workspace_locks.hold(&world.root, &name, holder("second"), long);
    let (second, ()) = tokio::join!(waiting, async { drop(first) });
    second.expect("its turn came");
}

#[tokio::test]
async fn w_4_the_sign_says_who_works_there_and_git_does_not_see_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let sign = worktree.path().join(LOCK_FILE);
    let found: Holder = serde_json::from_str(&read(&sign)).expect("a holder");
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
async fn w_4_an_agent_that_deletes_the_sign_frees_nothing() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    std::fs::remove_file(worktree.path().join(LOCK_FILE)).expect("there");
    let refused =
        locks(&world).hold(&world.root, &directory("one"), holder("me"), Patience::Reject).await;
    assert!(matches!(refused, Err(HoldError::Held { .. })), "{refused:?}");
}

#[tokio::test]
async fn w_4_children_do_not_inherit_the_lock() {
    let world = World::new().await;
    let hold = world.hold("one").await;
    let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("starts");
    drop(hold);
    drop(world.release_holds().await);
    let again =
        locks(&world).hold(&world.root, &directory("one"), holder("me"), Patience::Reject).await;
    child.kill().expect("ends");
    child.wait().expect("is gone");
    again.expect("free although the child lives");
}

#[tokio::test]
async fn w_4_signs_of_the_dead_are_taken_down_and_those_of_the_living_stay() {
    let world = World::new().await;
    for name in ["held", "dead", "reused", "alive", "garbled"] {
        std::fs::create_dir(world.root.path().join(name)).expect("made");
    }
    let sign = |name: &str, holder: &Holder| {
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
async fn w_11_a_lock_file_is_dropped_only_when_no_living_git_has_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("work"), "w\n");
    let lock = worktree.git_dir().join("index.lock");
    let open = std::fs::File::create(&lock).expect("made");
    let refused = worktree.commit_all("m", &signature()).await.expect_err("somebody has it");
    assert!(refused.to_string().contains("still works in"), "{refused}");
    assert!(lock.exists());
    drop(open);
    worktree.commit_all("m", &signature()).await.expect("it was nobody's");
    assert!(!lock.exists());
}
