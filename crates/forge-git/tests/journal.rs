//! The journal (W-14): everything in a workspace is saved while an agent works there, and can be restored.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{
    BranchOnRestore, DiffLimits, Journal, JournalEntry, JournalEntryMetadata, JournalPolicy,
    JournalReason, JournalWriteOutcome, LockedWorktree, RestorePlan, SnapshotSource,
};
use std::os::unix::fs::symlink;
use support::{World, branch, directory, git_in, read, signature, try_git_in, write};

fn note(reason: JournalReason) -> JournalEntryMetadata {
    JournalEntryMetadata { reason, execution: Some("run".to_owned()), signature: signature() }
}

fn journal(world: &World) -> Journal {
    Journal::for_task(&world.repo, "task").unwrap()
}

async fn try_record(
    world: &World,
    site: &SnapshotSource,
    reason: JournalReason,
) -> JournalWriteOutcome {
    journal(world).save_workspace(&world.locks, site, &note(reason)).await.unwrap()
}

async fn record(world: &World, worktree: &LockedWorktree) -> JournalEntry {
    match try_record(world, &worktree.snapshot_source(), JournalReason::TurnEnd).await {
        JournalWriteOutcome::Written(entry) => entry,
        other => panic!("an entry was expected: {other:?}"),
    }
}

fn show(world: &World, entry: &JournalEntry, path: &str) -> String {
    world.person_git(&["show", &format!("{}:{path}", entry.commit)])
}

fn names(world: &World, entry: &JournalEntry) -> Vec<String> {
    let list = world.person_git(&[
        "-c",
        "core.quotePath=false",
        "ls-tree",
        "-r",
        "--name-only",
        entry.commit.as_str(),
    ]);
    list.lines().map(str::to_owned).collect()
}

fn state(worktree: &LockedWorktree) -> (Vec<u8>, Vec<u8>, String) {
    let read = |name: &str| std::fs::read(worktree.git_dir().join(name)).unwrap();
    (read("index"), read("HEAD"), git_in(worktree.path(), &["for-each-ref", "refs/heads"]))
}

fn left_behind(worktree: &LockedWorktree) -> Vec<String> {
    let entries = std::fs::read_dir(worktree.git_dir()).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("forge-index-")).collect()
}

#[tokio::test]
async fn w_14_an_entry_holds_uncommitted_staged_and_untracked_files_and_disturbs_nothing() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "staged\n");
    git_in(worktree.path(), &["add", "a.txt"]);
    write(&worktree.path().join("a.txt"), "edited\n");
    write(&worktree.path().join("fresh dir/\u{e9}.txt"), "untracked\n");
    std::fs::remove_file(worktree.path().join("dir/b.txt")).unwrap();
    let (before, person) = (state(&worktree), world.person_bytes());

    let entry = record(&world, &worktree).await;
    assert_eq!(state(&worktree), before, "index, HEAD and branches stand");
    assert_eq!(left_behind(&worktree), Vec::<String>::new());
    assert_eq!((entry.number, entry.reason), (1, JournalReason::TurnEnd));
    assert_eq!(entry.execution.as_deref(), Some("run"));
    assert_eq!(entry.head_ref, "refs/heads/forge/one");
    assert_eq!(entry.head, Some(world.main().await));
    assert!(entry.has_changes && entry.has_files && entry.skipped.is_empty());
    assert_eq!(names(&world, &entry), ["a.txt", "fresh dir/\u{e9}.txt"]);
    assert_eq!(show(&world, &entry, "a.txt"), "edited\n");
    let staged = entry.staged.as_ref().unwrap();
    assert_eq!(world.person_git(&["show", &format!("{staged}:a.txt")]), "staged\n");

    let same = try_record(&world, &worktree.snapshot_source(), JournalReason::Periodic).await;
    assert_eq!(same, JournalWriteOutcome::Unchanged(entry), "nothing new is not written twice");
    write(&worktree.path().join("a.txt"), "edited again\n");
    assert_eq!(record(&world, &worktree).await.number, 2);
    let mut after = world.person_bytes();
    after.retain(|path, _| !path.starts_with(world.person().join(".git/refs/forge")));
    assert_eq!(after, person, "the person's checkout is as it was");
    world.person_git(&["gc", "--quiet", "--prune=now"]);
    world.fsck();
}

#[tokio::test]
async fn w_14_a_change_of_equal_length_right_after_an_add_is_saved() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    for round in 0..5 {
        write(&worktree.path().join("a.txt"), format!("{round}\n"));
        git_in(worktree.path(), &["add", "a.txt"]);
        write(&worktree.path().join("a.txt"), format!("{}\n", round + 5));
        let entry = record(&world, &worktree).await;
        assert_eq!(show(&world, &entry, "a.txt"), format!("{}\n", round + 5));
    }
}

#[tokio::test]
async fn w_14_files_of_nested_repositories_are_saved_without_their_git_directories() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    for (inner, commits) in [("app", true), ("app/deep", false), ("bare-of-commits", false)] {
        let inner = worktree.path().join(inner);
        std::fs::create_dir_all(&inner).unwrap();
        git_in(&inner, &["init", "--quiet"]);
        write(&inner.join("main.c"), "code\n");
        if commits {
            git_in(&inner, &["add", "."]);
            git_in(&inner, &["commit", "--quiet", "-m", "inner"]);
        }
    }
    let entry = record(&world, &worktree).await;
    let wanted = ["a.txt", "app/deep/main.c", "app/main.c", "bare-of-commits/main.c", "dir/b.txt"];
    assert_eq!(names(&world, &entry), wanted);
    // Repeat after the agent added one of them as a gitlink.
    git_in(worktree.path(), &["add", "app"]);
    write(&worktree.path().join("app/main.c"), "more code\n");
    let entry = record(&world, &worktree).await;
    assert_eq!(names(&world, &entry), wanted);
    assert_eq!(show(&world, &entry, "app/main.c"), "more code\n");
}

#[tokio::test]
async fn w_14_files_marked_assume_unchanged_or_skip_worktree_are_saved() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    git_in(worktree.path(), &["update-index", "--assume-unchanged", "a.txt"]);
    git_in(worktree.path(), &["update-index", "--skip-worktree", "dir/b.txt"]);
    write(&worktree.path().join("a.txt"), "hidden\n");
    write(&worktree.path().join("dir/b.txt"), "hidden too\n");
    let before = state(&worktree);
    let entry = record(&world, &worktree).await;
    assert_eq!(show(&world, &entry, "a.txt"), "hidden\n");
    assert_eq!(show(&world, &entry, "dir/b.txt"), "hidden too\n");
    assert_eq!(state(&worktree), before);
}

#[tokio::test]
async fn w_14_every_index_format_and_state_can_be_saved() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let index = worktree.git_dir().join("index");
    for (round, spoil) in
        ["v4", "split", "lock", "garbage", "empty", "gone", "intent"].iter().enumerate()
    {
        match *spoil {
            "v4" => drop(git_in(worktree.path(), &["update-index", "--index-version=4"])),
            "split" => drop(git_in(worktree.path(), &["update-index", "--split-index"])),
            "lock" => write(&worktree.git_dir().join("index.lock"), "half"),
            "garbage" => write(&index, "not an index at all, by no means"),
            "empty" => write(&index, ""),
            "gone" => std::fs::remove_file(&index).unwrap(),
            _ => {
                std::fs::remove_file(worktree.git_dir().join("index.lock")).unwrap();
                git_in(worktree.path(), &["read-tree", "HEAD"]);
                write(&worktree.path().join("later.txt"), "later\n");
                git_in(worktree.path(), &["add", "-N", "later.txt"]);
            }
        }
        write(&worktree.path().join("a.txt"), format!("{round}\n"));
        write(&worktree.path().join("new.txt"), format!("new {round}\n"));
        let entry = record(&world, &worktree).await;
        assert_eq!(show(&world, &entry, "a.txt"), format!("{round}\n"), "{spoil}");
        assert_eq!(show(&world, &entry, "new.txt"), format!("new {round}\n"), "{spoil}");
        assert_eq!(show(&world, &entry, "dir/b.txt"), "b\n", "{spoil}");
    }
    let entry = journal(&world).load_entries().await.unwrap().pop().unwrap();
    assert_eq!(show(&world, &entry, "later.txt"), "later\n");
}

#[tokio::test]
async fn w_14_a_merge_in_conflict_is_saved_with_its_markers() {
    let world = World::new().await;
    world.commit_on("other", &[("a.txt", "theirs\n")]).await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "ours\n");
    worktree.commit_all("ours\n", &signature()).await.unwrap();
    let (merged, _) = try_git_in(worktree.path(), &["merge", "forge/other"]);
    assert!(!merged);
    let entry = record(&world, &worktree).await;
    assert!(show(&world, &entry, "a.txt").contains("<<<<<<< HEAD\nours\n"));
}

#[tokio::test]
async fn w_14_files_are_saved_whatever_an_agent_did_to_git() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let marker = worktree.path().join(".git");
    let kept = read(&marker);
    let head = world.main().await;

    std::fs::remove_file(&marker).unwrap();
    write(&worktree.path().join("work.txt"), "without .git\n");
    let entry = record(&world, &worktree).await;
    assert_eq!(show(&world, &entry, "work.txt"), "without .git\n");

    git_in(worktree.path(), &["init", "--quiet"]);
    git_in(worktree.path(), &["add", "."]);
    git_in(worktree.path(), &["commit", "--quiet", "-m", "theirs"]);
    write(&worktree.path().join("work.txt"), "in another repository\n");
    let entry = record(&world, &worktree).await;
    assert_eq!(show(&world, &entry, "work.txt"), "in another repository\n");
    assert_eq!(names(&world, &entry), ["a.txt", "dir/b.txt", "work.txt"]);
    assert_eq!(entry.head, Some(head));

    #[expect(clippy::disallowed_methods, reason = "what an agent does")]
    std::fs::remove_dir_all(&marker).unwrap();
    write(&marker, kept);
    git_in(worktree.path(), &["checkout", "--quiet", "--orphan", "nowhere"]);
    let entry = record(&world, &worktree).await;
    assert_eq!((entry.head.as_ref(), entry.head_ref.as_str()), (None, "refs/heads/nowhere"));
    assert_eq!(show(&world, &entry, "work.txt"), "in another repository\n");

    #[expect(clippy::disallowed_methods, reason = "what an agent does")]
    std::fs::remove_dir_all(worktree.git_dir()).unwrap();
    write(&worktree.path().join("work.txt"), "git's record is gone\n");
    let (name, own) = (directory("one"), branch("forge/one"));
    let lost = SnapshotSource::find(&world.repo, &world.root, &name, &own).await.unwrap();
    let saved = try_record(&world, &lost, JournalReason::Corrupted).await;
    assert_eq!(show(&world, saved.entry().unwrap(), "work.txt"), "git's record is gone\n");
    world.fsck();
}

#[tokio::test]
async fn w_5_a_directory_that_became_a_symlink_is_not_followed_but_its_commits_are_kept() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("work.txt"), "committed\n");
    let head = worktree.commit_all("work\n", &signature()).await.unwrap().head;
    let elsewhere = world.home().join("elsewhere");
    std::fs::rename(worktree.path(), &elsewhere).unwrap();
    symlink(&elsewhere, worktree.path()).unwrap();
    write(&elsewhere.join("secret.txt"), "not ours\n");
    let entry = record(&world, &worktree).await;
    assert!(!entry.has_files && entry.skipped[0].contains("not a plain directory"));
    assert_eq!(entry.head, Some(head));
    assert!(!names(&world, &entry).contains(&"secret.txt".to_owned()));
}

#[tokio::test]
async fn w_14_commits_that_an_agent_moved_away_from_survive_garbage_collection() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    git_in(worktree.path(), &["checkout", "--quiet", "--detach"]);
    for name in ["first", "second"] {
        write(&worktree.path().join("stray.txt"), name);
        git_in(worktree.path(), &["add", "."]);
        git_in(worktree.path(), &["commit", "--quiet", "-m", name]);
    }
    let stray = git_in(worktree.path(), &["rev-parse", "HEAD"]).trim().to_owned();
    git_in(worktree.path(), &["checkout", "--quiet", "forge/one"]);
    record(&world, &worktree).await;
    let again = try_record(&world, &worktree.snapshot_source(), JournalReason::Stop).await;
    assert!(matches!(again, JournalWriteOutcome::Unchanged(_)), "{again:?}");
    world.lock().await.remove_worktree(&world.hold("one").await).await.unwrap();
    world.person_git(&["reflog", "expire", "--expire=now", "--all"]);
    world.person_git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(world.person_git(&["show", &format!("{stray}:stray.txt")]), "second");
    assert_eq!(world.person_git(&["show", &format!("{stray}~:stray.txt")]), "first");
}

#[tokio::test]
async fn w_14_unreadable_files_are_reported_and_the_rest_is_saved() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    std::fs::remove_file(worktree.path().join("a.txt")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(worktree.path().join("a.txt")).status();
    assert!(made.unwrap().success());
    for number in 0..20 {
        write(&worktree.path().join(format!("n{number}")), format!("{number}\n"));
    }
    let entry = record(&world, &worktree).await;
    assert_eq!(entry.skipped, ["a.txt"]);
    assert_eq!(show(&world, &entry, "n19"), "19\n");
    assert_eq!(names(&world, &entry).len(), 22);
}

#[tokio::test]
async fn w_14_an_entry_is_restored_after_the_current_state_is_saved() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join(".gitignore"), "cache\n");
    worktree.commit_all("ignore\n", &signature()).await.unwrap();
    write(&worktree.path().join("cache"), "ignored\n");
    write(&worktree.path().join("a.txt"), "wanted\n");
    write(&worktree.path().join("app/deep/x"), "untracked\n");
    std::fs::remove_file(worktree.path().join("dir/b.txt")).unwrap();
    let wanted = record(&world, &worktree).await;
    worktree.discard_changes().await.unwrap();
    write(&worktree.path().join("app"), "a file where a directory was\n");
    write(&worktree.path().join("later.txt"), "later\n");
    git_in(worktree.path(), &["add", "."]);
    git_in(worktree.path(), &["commit", "--quiet", "-m", "later"]);
    write(&worktree.path().join("unsaved.txt"), "unsaved\n");
    let tip = worktree.head().await.unwrap();

    let (journal, asked) = (journal(&world), note(JournalReason::BeforeRestore));
    let stays = RestorePlan::as_saved(&wanted, BranchOnRestore::Keep);
    let before = worktree.restore(&world.locks, &journal, &stays, &asked).await.unwrap();
    assert_eq!(worktree.head().await.unwrap(), tip, "the branch stands");
    assert_eq!(read(&worktree.path().join("a.txt")), "wanted\n");
    assert_eq!(read(&worktree.path().join("app/deep/x")), "untracked\n");
    assert_eq!(read(&worktree.path().join("cache")), "ignored\n");
    for gone in ["dir/b.txt", "later.txt", "unsaved.txt"] {
        assert!(!worktree.path().join(gone).exists(), "{gone}");
    }
    let saved = before.entry().unwrap();
    assert_eq!((saved.number, saved.reason), (2, JournalReason::BeforeRestore));
    assert_eq!(show(&world, saved, "unsaved.txt"), "unsaved\n");
    assert_eq!(worktree.snapshot_source().tree().await.unwrap(), Some(wanted.tree.clone()));
    assert_eq!(git_in(worktree.path(), &["diff", "--cached"]), "", "nothing is staged");

    let follows = RestorePlan::as_saved(&wanted, BranchOnRestore::MoveToEntry);
    worktree.restore(&world.locks, &journal, &follows, &asked).await.unwrap();
    assert_eq!(Some(worktree.head().await.unwrap()), wanted.head);
    assert_eq!(worktree.snapshot_source().tree().await.unwrap(), Some(wanted.tree.clone()));
    worktree.verify().await.unwrap();
    world.fsck();
}

#[tokio::test]
async fn w_14_entries_are_compared_forked_and_pruned_except_the_newest() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let journal = journal(&world);
    let mut entries = Vec::new();
    for (number, at) in [(1, 100), (2, 200), (3, 300), (4, 400)] {
        write(&worktree.path().join("a.txt"), format!("{number}\n"));
        let mut note = note(JournalReason::TurnEnd);
        note.signature.at = at;
        let done =
            journal.save_workspace(&world.locks, &worktree.snapshot_source(), &note).await.unwrap();
        entries.push(done.entry().unwrap().clone());
    }
    let limits = DiffLimits::default();
    let diff = world.repo.diff(&entries[0].tree, &entries[1].tree, limits).await.unwrap();
    assert!(diff.to_patch().contains("-1\n+2\n"), "{}", diff.to_patch());

    let base = journal.fork_base(&entries[1], &signature()).await.unwrap();
    assert_eq!(world.repo.tree_of(&base).await.unwrap(), entries[1].tree);
    assert!(world.repo.is_ancestor(&world.main().await, &base).await.unwrap());

    let prune = async |entries, since| {
        world.lock().await.prune_journals(JournalPolicy { entries, since }).await.unwrap();
        let left = journal.load_entries().await.unwrap();
        left.iter().map(|entry| entry.number).collect::<Vec<_>>()
    };
    assert_eq!(prune(3, 0).await, [2, 3, 4]);
    assert_eq!(prune(3, 250).await, [3, 4]);
    assert_eq!(prune(0, 1000).await, [4], "the newest stays");
    write(&worktree.path().join("a.txt"), "5\n");
    assert_eq!(record(&world, &worktree).await.number, 5, "no number is used twice");
}
