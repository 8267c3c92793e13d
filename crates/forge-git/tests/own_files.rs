//! Files that Forge writes are identical to git's, and git accepts the index.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "support/change.rs"]
mod change;
mod support;

use change::{Change, change};
use forge_git::{LockedWorktree, WorktreeBranch, WorktreePool};
use proptest::prelude::*;
use support::{World, branch, git_in, read, write};

fn commit(world: &World, changes: &[Change]) {
    let top = world.person();
    changes.iter().for_each(|change| change.make(&top));
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "more"]);
}

/// Checks that git finds every file and the index equal to the commit, and derives the same trees from the index.
fn assert_gits_own(worktree: &LockedWorktree, note: &str) {
    let git = |arguments: &[&str]| {
        git_in(worktree.path(), &[&["-c", "core.quotePath=false"], arguments].concat())
    };
    assert_eq!(git(&["status", "--porcelain"]), "", "{note}");
    assert_eq!(git(&["diff-index", "--cached", "HEAD"]), "", "{note}");
    let listed = git(&["ls-files", "-s", "-z"]).replace(" 0\t", "\t");
    let committed =
        git(&["ls-tree", "-r", "-z", "--format=%(objectmode) %(objectname)\t%(path)", "HEAD"]);
    assert_eq!(listed, committed, "{note}");
    // Compare every file, whatever the index says about it.
    let fresh = worktree.git_dir().join("fresh");
    let script = format!(
        "export GIT_INDEX_FILE='{}'; git read-tree HEAD; git status --porcelain; echo x > zz; git add -A; git write-tree",
        fresh.display()
    );
    let anew = sh(worktree, &script);
    // Git uses the trees in the index for all directories that did not change.
    let built =
        sh(worktree, "git add -A; git write-tree; rm zz; git add -A; git status --porcelain");
    assert_eq!(built, anew, "{note}");
    std::fs::remove_file(fresh).expect("there");
}

fn sh(worktree: &LockedWorktree, script: &str) -> String {
    let done = std::process::Command::new("sh")
        .args(["-ec", script])
        .current_dir(worktree.path())
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

async fn claim(world: &World, pool: &WorktreePool, name: &str) -> LockedWorktree {
    let hold = world.hold(name).await;
    let wanted =
        WorktreeBranch::New { name: branch(&format!("forge/{name}")), base: world.main().await };
    match pool.adopt(&hold, &wanted).await.expect("adopts") {
        Some(adopted) => adopted.finish().await.expect("finishes"),
        None => world.repo.add_worktree(&world.locks, &hold, &wanted).await.expect("is made"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Checked out anew, updated on the way out of the pool, and updated in it.
    #[test]
    fn w_15_for_any_trees_the_files_equal_those_of_git(
        first in prop::collection::vec(change(), 1..20),
        second in prop::collection::vec(change(), 0..12),
        third in prop::collection::vec(change(), 0..12),
    ) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let world = World::new().await;
            commit(&world, &first);
            let pool = WorktreePool::open(&world.repo, &world.root, &world.locks).expect("opens");
            let turn = pool.lock().await.expect("ours");
            turn.add(&world.main().await).await.expect("made");
            turn.add(&world.main().await).await.expect("made");
            commit(&world, &second);
            assert_gits_own(&claim(&world, &pool, "moved").await, "moved on the way");
            commit(&world, &third);
            turn.update_to(&world.main().await).await.expect("follows");
            assert_gits_own(&claim(&world, &pool, "followed").await, "moved in the pool");
            assert_gits_own(&claim(&world, &pool, "anew").await, "made anew");
        });
    }
}

/// W-17: files that need a conversion get it, from the pool and from a claim on an empty pool.
#[tokio::test]
async fn w_17_files_that_git_converts_are_left_to_git() {
    type Setting = fn(&World);
    let settings: [(&str, Setting); 4] = [
        ("attributes of the tree", |world| {
            write(&world.person().join(".gitattributes"), "*.txt text eol=crlf\n");
        }),
        ("attributes of the repository", |world| {
            write(&world.person().join(".git/info/attributes"), "*.txt text eol=crlf\n");
        }),
        ("a setting", |world| {
            world.person_git(&["config", "core.autocrlf", "true"]);
        }),
        ("a filter", |world| {
            world.person_git(&["config", "filter.ends.smudge", "sed 's/$/\\r/'"]);
            world.person_git(&["config", "filter.ends.clean", "tr -d '\\r'"]);
            write(&world.person().join(".gitattributes"), "*.txt filter=ends\n");
        }),
    ];
    for (note, set) in settings {
        let world = World::new().await;
        set(&world);
        world.person_git(&["add", "-A"]);
        world.person_git(&["commit", "-q", "--allow-empty", "-m", "converted"]);
        let pool = WorktreePool::open(&world.repo, &world.root, &world.locks).expect("opens");
        pool.lock().await.expect("ours").add(&world.main().await).await.expect("made");
        for name in ["waiting", "anew"] {
            let worktree = claim(&world, &pool, name).await;
            let content = read(&worktree.path().join("a.txt"));
            assert!(content.starts_with("1\r\n2\r\n"), "{note}, {name}: {content:?}");
            assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "", "{note}, {name}");
        }
    }
}

/// If the call is interrupted while threads write, the next call waits for them and finishes.
#[tokio::test]
async fn p_4_a_checkout_interrupted_at_any_moment_is_finished_by_the_next() {
    let world = World::new().await;
    for number in 0..400 {
        write(&world.person().join(format!("d{}/f{number}", number % 20)), format!("{number}\n"));
    }
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "many"]);
    let base = world.main().await;
    for step in 0..20_u64 {
        let hold = world.hold(&format!("t{step}")).await;
        let new =
            WorktreeBranch::New { name: branch(&format!("forge/t{step}")), base: base.clone() };
        let add = || world.repo.add_worktree(&world.locks, &hold, &new);
        let cut = std::time::Duration::from_micros(step * 900);
        // Recreate it each time: that can be interrupted too.
        std::fs::remove_file(world.person().join(".git/info/exclude")).ok();
        tokio::time::timeout(cut, add()).await.ok();
        let worktree = add().await.unwrap_or_else(|error| panic!("{cut:?}: {error}"));
        assert_gits_own(&worktree, &format!("{cut:?}"));
    }
}

/// W-15: content is replaced in place only if the file has no other hard link and is a regular file with the same
/// mode; other files keep their content.
#[tokio::test]
async fn w_15_updating_a_checkout_changes_no_other_file() {
    let world = World::new().await;
    for name in ["linked", "swapped", "shorter", "longer"] {
        write(&world.person().join(name), "before\n");
    }
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "before"]);
    let pool = WorktreePool::open(&world.repo, &world.root, &world.locks).expect("opens");
    pool.lock().await.expect("ours").add(&world.main().await).await.expect("made");
    let pools = std::fs::read_dir(world.root.path().join(".pool")).expect("there");
    let key = pools.flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    let member = key.expect("one pool").join("pool-0");
    let (second, target) = (world.home().join("second"), world.home().join("target"));
    std::fs::hard_link(member.join("linked"), &second).expect("linked");
    write(&target, "mine\n");
    std::fs::remove_file(member.join("swapped")).expect("there");
    std::os::unix::fs::symlink(&target, member.join("swapped")).expect("linked");
    for (name, content) in
        [("linked", "after\n"), ("swapped", "after\n"), ("shorter", "x"), ("longer", "after all\n")]
    {
        write(&world.person().join(name), content);
    }
    world.person_git(&["commit", "-q", "-a", "-m", "after"]);
    let worktree = claim(&world, &pool, "one").await;
    assert_gits_own(&worktree, "brought forward");
    assert_eq!(read(&second), "before\n");
    assert_eq!(read(&target), "mine\n");
}
