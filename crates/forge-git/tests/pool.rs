//! Pooled worktrees: created, taken, updated, recycled, and what a kill leaves at each point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use forge_git::{LockedWorktree, ObjectId, WorktreeAddError, WorktreeBranch, WorktreePool};
use support::{World, branch, git_in, read, write};

async fn pool(world: &World) -> WorktreePool {
    WorktreePool::open(&world.repo, &world.root, &world.locks).expect("opens")
}

/// A pool with this many ready worktrees at main.
async fn filled(world: &World, count: usize) -> WorktreePool {
    let pool = pool(world).await;
    let turn = pool.lock().await.expect("ours");
    for _ in 0..count {
        turn.add(&world.main().await).await.expect("made");
    }
    assert_eq!(pool.ready().len(), count);
    pool
}

fn new(name: &str, base: &ObjectId) -> WorktreeBranch {
    WorktreeBranch::New { name: branch(&format!("forge/{name}")), base: base.clone() }
}

/// Takes a worktree as a claim does: from the pool, or newly created.
async fn take(world: &World, pool: &WorktreePool, name: &str) -> LockedWorktree {
    let (hold, wanted) = (world.hold(name).await, new(name, &world.main().await));
    match pool.adopt(&hold, &wanted).await.expect("adopts") {
        Some(adopted) => adopted.finish().await.expect("finishes"),
        None => world.repo.add_worktree(&world.locks, &hold, &wanted).await.expect("is made"),
    }
}

/// Commits of the user while worktrees are in the pool: a change, a removal, a new file, a file in place of a
/// directory.
fn move_main(world: &World) {
    write(&world.person().join("a.txt"), "changed\n");
    std::fs::remove_dir_all(world.person().join("dir")).expect("there");
    write(&world.person().join("dir"), "a file now\n");
    write(&world.person().join("new/deep.txt"), "new\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "moved"]);
}

async fn assert_sound(world: &World, worktree: &LockedWorktree, note: &str) {
    let verified = worktree.verify().await.unwrap_or_else(|error| panic!("{note}: {error}"));
    assert_eq!(verified.head, world.main().await, "{note}");
    assert_eq!(verified.lock_files, Vec::<PathBuf>::new(), "{note}");
    // Compare every file, whatever the index says about it.
    let fresh = worktree.git_dir().join("fresh");
    let script = format!(
        "rm -f '{0}'; GIT_INDEX_FILE='{0}' git read-tree HEAD && GIT_INDEX_FILE='{0}' git status \
         --porcelain --ignored --untracked-files=all; rm -f '{0}'",
        fresh.display()
    );
    let said = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(worktree.path())
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(said.replace("!! .forge.lock\n", ""), "", "{note}");
    assert!(worktree.is_clean().await.expect("reads"), "{note}");
}

fn listed(world: &World) -> Vec<String> {
    let list = world.person_git(&["worktree", "list", "--porcelain"]);
    assert!(!list.contains("prunable"), "{list}");
    list.lines().filter_map(|line| line.strip_prefix("worktree ")).map(str::to_owned).collect()
}

#[tokio::test]
async fn w_15_a_task_takes_a_ready_worktree() {
    let world = World::new().await;
    let before = world.person_bytes();
    let pool = filled(&world, 2).await;
    let inode = |path: &Path| {
        std::os::unix::fs::MetadataExt::ino(&path.join("a.txt").metadata().expect("there"))
    };
    let waiting: Vec<u64> =
        listed(&world).iter().skip(1).map(|path| inode(Path::new(path))).collect();
    let worktree = take(&world, &pool, "one").await;
    assert!(waiting.contains(&inode(worktree.path())), "no file was written again");
    assert_eq!(worktree.path(), world.root.path().join("one"));
    assert_sound(&world, &worktree, "given").await;
    assert_eq!(git_in(worktree.path(), &["branch", "--show-current"]), "forge/one\n");
    assert!(git_in(worktree.path(), &["reflog", "show", "forge/one"]).contains("Created from"));
    assert_eq!(pool.ready().len(), 1);
    assert_eq!(listed(&world).len(), 3);
    let mut after = world.person_bytes();
    after.retain(|path, _| !path.starts_with(world.person().join(".git/refs/heads/forge")));
    assert_eq!(before, after, "the person's checkout is as it was");
    // An agent can work in it as in any other worktree.
    write(&worktree.path().join("a.txt"), "worked\n");
    git_in(worktree.path(), &["commit", "-q", "-a", "-m", "work"]);
    assert_eq!(world.person_git(&["log", "-1", "--format=%s", "forge/one"]), "work\n");
    world.fsck();
}

#[tokio::test]
async fn w_15_a_taken_worktree_is_updated_by_the_difference() {
    let world = World::new().await;
    let pool = filled(&world, 1).await;
    move_main(&world);
    let worktree = take(&world, &pool, "one").await;
    assert_eq!(pool.ready().len(), 0);
    assert_eq!(read(&worktree.path().join("dir")), "a file now\n");
    assert_sound(&world, &worktree, "moved").await;
}

#[tokio::test]
async fn w_15_the_pool_follows_the_target_and_its_size() {
    let world = World::new().await;
    let pool = filled(&world, 3).await;
    move_main(&world);
    let main = world.main().await;
    let turn = pool.lock().await.expect("ours");
    assert_eq!(turn.update_to(&main).await.expect("follows"), 3);
    assert_eq!(turn.update_to(&main).await.expect("is there"), 0);
    assert!(pool.ready().iter().all(|member| member.commit == main && member.bytes > 0));
    let total: u64 = pool.ready().iter().map(|member| member.bytes).sum();
    assert_eq!(world.root.load_pool_bytes().await.expect("sums"), total);
    assert_eq!(turn.shrink(1).await.expect("shrinks"), 2);
    assert_eq!((pool.ready().len(), pool.len(), listed(&world).len()), (1, 1, 2));
    drop(turn);
    assert_sound(&world, &take(&world, &pool, "one").await, "followed").await;
}

#[tokio::test]
async fn w_15_an_existing_branch_gets_a_ready_worktree_too() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("work.txt", "kept\n")]).await;
    world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removed");
    let pool = filled(&world, 1).await;
    let existing = WorktreeBranch::Existing(branch("forge/one"));
    let adopted = pool.adopt(&world.hold("one").await, &existing).await.expect("adopts");
    let worktree = adopted.expect("one waits").finish().await.expect("finishes");
    assert_eq!(worktree.verify().await.expect("sound").head, head);
    assert_eq!(read(&worktree.path().join("work.txt")), "kept\n");
    assert!(worktree.is_clean().await.expect("reads"));
}

#[tokio::test]
async fn w_3_no_worktree_is_taken_for_a_branch_in_use() {
    let world = World::new().await;
    let pool = filled(&world, 1).await;
    let hold = world.hold("x").await;
    let refused = pool.adopt(&hold, &WorktreeBranch::Existing(branch("main"))).await;
    assert!(matches!(refused, Err(WorktreeAddError::CheckedOut { .. })), "{refused:?}");
    let head = world.commit_on("one", &[("work.txt", "x\n")]).await;
    world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removed");
    let refused = pool.adopt(&hold, &new("one", &world.main().await)).await;
    assert!(
        matches!(&refused, Err(WorktreeAddError::BranchExists { tip, .. }) if *tip == head),
        "{refused:?}"
    );
    write(&world.root.path().join("y/precious"), "mine\n");
    let hold = world.hold("y").await;
    assert!(pool.adopt(&hold, &new("y", &world.main().await)).await.expect("looks").is_none());
    assert_eq!(read(&world.root.path().join("y/precious")), "mine\n");
    assert_eq!(pool.ready().len(), 1);
}

/// What is wrong with the worktree, and a function that causes it, given its directory and record.
type Damage = (&'static str, fn(&Path, &Path));

const DAMAGES: &[Damage] = &[
    ("an index being written", |_, record| write(&record.join("index.lock"), "")),
    ("a HEAD being written", |_, record| write(&record.join("HEAD.lock"), "")),
    ("no index", |_, record| std::fs::remove_file(record.join("index")).expect("there")),
    ("an empty index", |_, record| write(&record.join("index"), "")),
    ("a branch", |_, record| write(&record.join("HEAD"), "ref: refs/heads/other\n")),
    ("another commit", |_, record| write(&record.join("HEAD"), "1".repeat(40))),
    ("no files", |_, record| {
        std::fs::remove_file(record.join("forge-checked-out")).expect("there");
    }),
    ("a locked record", |_, record| write(&record.join("locked"), "initializing")),
    ("a foreign .git", |path, _| write(&path.join(".git"), "gitdir: /elsewhere\n")),
    ("a repository of its own", |path, _| {
        std::fs::remove_file(path.join(".git")).expect("there");
        git_in(path, &["init", "-q"]);
    }),
    ("no directory", |path, _| std::fs::remove_dir_all(path).expect("there")),
    ("no record", |_, record| std::fs::remove_dir_all(record).expect("there")),
];

#[tokio::test]
async fn w_15_a_broken_worktree_is_never_taken() {
    for (damage, break_it) in DAMAGES {
        let world = World::new().await;
        let pool = filled(&world, 1).await;
        let path = PathBuf::from(listed(&world).pop().expect("one waits"));
        break_it(&path, &world.repo.common_dir().join("worktrees/pool-0"));
        let worktree = take(&world, &pool, "one").await;
        assert_sound(&world, &worktree, damage).await;
        let turn = pool.lock().await.expect("ours");
        let tended = turn.repair(&world.main().await).await.expect("mends");
        assert_eq!(tended.repaired + tended.dropped, pool.len().max(1), "{damage}: {tended:?}");
        assert_eq!(pool.ready().len(), tended.repaired, "{damage}");
        drop(turn);
        assert_sound(&world, &take(&world, &pool, "two").await, damage).await;
        listed(&world);
    }
}

#[tokio::test]
async fn w_15_ready_worktrees_are_inspected_file_by_file() {
    let world = World::new().await;
    let pool = filled(&world, 2).await;
    let touched = PathBuf::from(listed(&world).pop().expect("one waits"));
    write(&touched.join("dir/b.txt"), "x\n");
    write(&touched.join("left"), "behind\n");
    let turn = pool.lock().await.expect("ours");
    turn.inspect_ready().await.expect("looks");
    assert_eq!(pool.ready().len(), 1, "the other one is as it should be");
    let tended = turn.repair(&world.main().await).await.expect("mends");
    assert_eq!((tended.repaired, pool.ready().len()), (1, 2));
    drop(turn);
    assert_sound(&world, &take(&world, &pool, "one").await, "mended").await;
    assert_sound(&world, &take(&world, &pool, "two").await, "mended").await;
}

/// A power cut can lose file contents that were not synced, although the file names exist.
#[tokio::test]
async fn w_15_after_a_power_cut_worktrees_are_inspected_before_use() {
    let world = World::new().await;
    let pool = filled(&world, 1).await;
    let path = PathBuf::from(listed(&world).pop().expect("one waits"));
    let sign = path.with_extension("ready");
    let mut ready: serde_json::Value = serde_json::from_str(&read(&sign)).expect("reads");
    ready["boot"] = "before".into();
    write(&sign, ready.to_string());
    let hold = world.hold("one").await;
    let wanted = new("one", &world.main().await);
    assert!(pool.adopt(&hold, &wanted).await.expect("looks").is_none());
    pool.lock().await.expect("ours").inspect_ready().await.expect("looks");
    assert!(pool.adopt(&hold, &wanted).await.expect("looks").is_some());
}

#[tokio::test]
async fn w_15_a_recycled_worktree_keeps_nothing_of_its_task() {
    let world = World::new().await;
    let pool = pool(&world).await;
    let worktree = world.add("one").await;
    let path = worktree.path().to_owned();
    // Make the index treat a changed file as unchanged.
    git_in(&path, &["update-index", "--assume-unchanged", "dir/b.txt"]);
    write(&path.join("dir/b.txt"), "x\n");
    write(&path.join(".gitignore"), "ignored/\n");
    write(&path.join("ignored/cache"), "from before\n");
    write(&path.join("new.txt"), "from before\n");
    git_in(&path, &["add", "new.txt"]);
    write(&path.join("untracked"), "from before\n");
    write(&worktree.git_dir().join("MERGE_HEAD"), format!("{}\n", world.main().await));
    let locked = world.lock().await;
    assert!(locked.recycle_worktree(&pool, &worktree).await.expect("goes back"));
    drop(locked);
    assert!(!path.exists());
    assert_eq!((pool.len(), pool.ready().len()), (1, 0));
    let turn = pool.lock().await.expect("ours");
    assert_eq!(turn.repair(&world.main().await).await.expect("mends").repaired, 1);
    drop(turn);
    let next = take(&world, &pool, "two").await;
    assert_eq!(pool.ready().len(), 0, "it was the one that waited");
    assert_sound(&world, &next, "recycled").await;
    assert!(world.repo.tip(&branch("forge/one")).await.expect("reads").is_some());
    // Another task must not inherit the worktree's own settings.
    write(&next.git_dir().join("config.worktree"), "[core]\n");
    assert!(!world.lock().await.recycle_worktree(&pool, &next).await.expect("looks"));
    assert!(next.path().exists());
}

/// Every state that a killed take can leave, made by hand.
#[tokio::test]
async fn p_4_a_killed_take_is_finished_by_the_next_try() {
    type Stage = (&'static str, fn(&World, &Path, &Path));
    fn take_sign(path: &Path) {
        std::fs::remove_file(path.with_extension("ready")).expect("there");
    }
    fn make_branch(world: &World, path: &Path) {
        take_sign(path);
        world.person_git(&["branch", "-q", "forge/one", "main"]);
    }
    fn point_head(world: &World, path: &Path, record: &Path) {
        make_branch(world, path);
        std::fs::remove_file(record.join("forge-checked-out")).expect("there");
        write(&record.join("HEAD"), "ref: refs/heads/forge/one\n");
    }
    fn point_record(world: &World, path: &Path, record: &Path) {
        point_head(world, path, record);
        let target = world.root.path().join("one/.git");
        write(&record.join("gitdir"), format!("{}\n", target.display()));
    }
    let stages: &[Stage] = &[
        ("its sign was taken", |_, path, _| take_sign(path)),
        ("its branch was made", |world, path, _| make_branch(world, path)),
        ("its HEAD was being written", |world, path, record| {
            make_branch(world, path);
            write(&record.join("HEAD.lock"), "ref: refs");
        }),
        ("it was on its branch", point_head),
        ("its record named its place", point_record),
        ("it was in its place", |world, path, record| {
            point_record(world, path, record);
            std::fs::rename(path, world.root.path().join("one")).expect("moves");
        }),
    ];
    for (stage, leave) in stages {
        let world = World::new().await;
        let pool = filled(&world, 1).await;
        let path = PathBuf::from(listed(&world).pop().expect("one waits"));
        move_main(&world);
        leave(&world, &path, &world.repo.common_dir().join("worktrees/pool-0"));
        let worktree = take(&world, &pool, "one").await;
        assert_sound(&world, &worktree, stage).await;
        let turn = pool.lock().await.expect("ours");
        turn.repair(&world.main().await).await.expect("mends");
        assert_eq!(pool.ready().len(), pool.len(), "{stage}");
        assert_eq!(listed(&world).len(), 2 + pool.len(), "{stage}");
        assert_sound(&world, &worktree, stage).await;
        world.fsck();
    }
}

/// The same with a real interruption, a little later each time.
#[tokio::test]
async fn p_4_a_take_interrupted_at_any_moment_is_finished_by_the_next_try() {
    let world = World::new().await;
    let pool = filled(&world, 1).await;
    let old = world.main().await;
    move_main(&world);
    let main = world.main().await;
    for step in 0..40_u64 {
        let turn = pool.lock().await.expect("ours");
        let at = if step % 2 == 0 { &old } else { &main };
        turn.repair(at).await.expect("mends");
        turn.update_to(at).await.expect("follows");
        if pool.ready().is_empty() {
            turn.add(at).await.expect("made");
        }
        drop(turn);
        let name = format!("t{step}");
        let hold = world.hold(&name).await;
        let wanted = new(&name, &main);
        let adopting = async {
            if let Some(adopted) = pool.adopt(&hold, &wanted).await.expect("adopts") {
                adopted.finish().await.expect("finishes");
            }
        };
        tokio::time::timeout(Duration::from_micros(step / 2 * 500), adopting).await.ok();
        let worktree = take(&world, &pool, &name).await;
        assert_sound(&world, &worktree, &format!("step {step}")).await;
    }
    let turn = pool.lock().await.expect("ours");
    turn.repair(&main).await.expect("mends");
    assert_eq!(pool.ready().len(), pool.len());
    assert_eq!(listed(&world).len(), 41 + pool.len());
    world.fsck();
}

#[tokio::test]
async fn p_4_maintenance_interrupted_at_any_moment_is_finished_by_the_next() {
    let world = World::new().await;
    let pool = pool(&world).await;
    let old = world.main().await;
    move_main(&world);
    let main = world.main().await;
    for step in 0..40_u64 {
        let tend = async |commit: &ObjectId| {
            let turn = pool.lock().await.expect("ours");
            turn.repair(commit).await.expect("mends");
            turn.update_to(commit).await.expect("follows");
            if pool.ready().is_empty() {
                turn.add(commit).await.expect("is made");
            }
        };
        let at = if step % 2 == 0 { &old } else { &main };
        tokio::time::timeout(Duration::from_micros(step * 700), tend(at)).await.ok();
        // Every ready worktree is sound now, and the next repair fixes the others.
        let early = take(&world, &pool, &format!("early{step}")).await;
        assert_sound(&world, &early, &format!("step {step}")).await;
        tend(at).await;
        assert_eq!((pool.ready().len(), pool.len()), (1, 1), "step {step}");
        let late = take(&world, &pool, &format!("late{step}")).await;
        assert_sound(&world, &late, &format!("step {step}")).await;
    }
    assert_eq!(listed(&world).len(), 81);
    world.fsck();
}

#[tokio::test]
async fn w_12_fifty_tasks_at_once_each_get_their_own() {
    let world = World::new().await;
    let pool = filled(&world, 10).await;
    for number in 0..50 {
        world.hold(&format!("t{number}")).await;
    }
    let (world, pool) = (std::sync::Arc::new(world), std::sync::Arc::new(pool));
    let mut taking = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (world, pool) = (world.clone(), pool.clone());
        taking.spawn(async move { take(&world, &pool, &format!("t{number}")).await });
    }
    let worktrees = taking.join_all().await;
    let mut ours: Vec<String> =
        worktrees.iter().map(|worktree| worktree.path().display().to_string()).collect();
    ours.push(world.person().display().to_string());
    ours.sort();
    let mut gits = listed(&world);
    gits.sort();
    assert_eq!(gits, ours);
    assert_eq!(pool.len(), 0);
    for worktree in &worktrees {
        assert_sound(&world, worktree, &worktree.path().display().to_string()).await;
    }
}

#[tokio::test]
async fn p_1_kept_directories_are_not_deleted_with_the_trash() {
    let world = World::new().await;
    write(&world.add("one").await.path().join("precious"), "mine\n");
    world.add("two").await;
    let locked = world.lock().await;
    let aside = locked.keep_worktree_files(&world.hold("one").await).await.expect("goes");
    let aside = aside.expect("there was one");
    locked.remove_worktree(&world.hold("two").await).await.expect("removes");
    assert_eq!(world.root.empty_trash().await.expect("empties"), 1);
    assert_eq!(read(&aside.join("precious")), "mine\n");
}
