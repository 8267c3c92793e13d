//! The journal while an agent works, and when it is killed in the middle (W-14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{Journal, JournalEntryMetadata, JournalReason, JournalWriteOutcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{World, git_in, signature, try_git_in, write};

fn note() -> JournalEntryMetadata {
    JournalEntryMetadata {
        reason: JournalReason::Periodic,
        execution: None,
        signature: signature(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w_14_entries_taken_while_git_adds_and_commits_neither_fail_nor_disturb_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    for number in 0..200 {
        write(&worktree.path().join(format!("many/{number}")), format!("{number}\n"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (place, told) = (worktree.path().to_owned(), stop.clone());
    let agent = tokio::task::spawn_blocking(move || {
        let mut commits = 0;
        while !told.load(Ordering::Relaxed) && commits < 200 {
            write(&place.join(format!("many/{}", commits % 200)), format!("again {commits}\n"));
            for arguments in [&["add", "-A"][..], &["commit", "-q", "-m", "again"]] {
                let (done, said) = try_git_in(&place, arguments);
                assert!(done, "the agent's git was disturbed: {said}");
            }
            commits += 1;
        }
        commits
    });
    let journal = Journal::for_task(&world.repo, "task").unwrap();
    let mut written = 0;
    for _ in 0..12 {
        let recorded = journal
            .save_workspace(&world.locks, &worktree.snapshot_source(), &note())
            .await
            .unwrap();
        written += usize::from(matches!(recorded, JournalWriteOutcome::Written(_)));
    }
    stop.store(true, Ordering::Relaxed);
    let commits = agent.await.unwrap();
    let log = git_in(worktree.path(), &["rev-list", "--count", "main..HEAD"]);
    assert_eq!(log.trim(), commits.to_string(), "every commit of the agent is there");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    assert_eq!(journal.load_entries().await.unwrap().len(), written);
    assert!(written > 1, "{written}");
    world.fsck();
}

/// Dropping the call kills its git process at once, as a crash of the server does.
#[tokio::test]
async fn w_14_an_entry_killed_at_any_moment_disturbs_nothing_and_loses_no_entry() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let journal = Journal::for_task(&world.repo, "task").unwrap();
    let status = |text: &str| {
        write(&worktree.path().join("a.txt"), text);
        write(&worktree.path().join("fresh"), text);
        git_in(worktree.path(), &["status", "--porcelain"])
    };
    let mut known = 0;
    for step in 0..40_u64 {
        let text = format!("text {step}\n");
        let before = status(&text);
        let index = std::fs::read(worktree.git_dir().join("index")).unwrap();
        let site = worktree.snapshot_source();
        let (entry, moment) = (note(), Duration::from_millis(step * 2));
        let killed =
            tokio::time::timeout(moment, journal.save_workspace(&world.locks, &site, &entry));
        drop(killed.await);
        assert_eq!(std::fs::read(worktree.git_dir().join("index")).unwrap(), index);
        assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), before);
        let entries = journal.load_entries().await.unwrap();
        assert!(entries.len() >= known && entries.len() <= known + 1, "{known}: {entries:?}");
        known = entries.len();
        let recorded = journal.save_workspace(&world.locks, &site, &note()).await.unwrap();
        let entry = recorded.entry().unwrap();
        assert_eq!(world.person_git(&["show", &format!("{}:fresh", entry.commit)]), text);
        known = known.max(usize::try_from(entry.number).unwrap());
    }
    let left = std::fs::read_dir(worktree.git_dir()).unwrap().flatten();
    let left: Vec<_> = left
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("forge-index-") || name.ends_with(".lock"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
    world.fsck();
}
