//! Trees and commits that Forge writes are identical to git's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "support/change.rs"]
mod change;
mod support;

use std::path::Path;

use change::{Change, change};
use forge_git::{
    Journal, JournalEntry, JournalEntryMetadata, JournalReason, JournalWriteOutcome, LockedWorktree,
};
use proptest::prelude::*;
use support::{World, git_in, signature, write};

async fn saved(world: &World, worktree: &LockedWorktree) -> JournalEntry {
    let journal = Journal::for_task(&world.repo, "task").expect("a name");
    let note = JournalEntryMetadata {
        reason: JournalReason::Periodic,
        execution: None,
        signature: signature(),
    };
    match journal
        .save_workspace(&world.locks, &worktree.snapshot_source(), &note)
        .await
        .expect("saved")
    {
        JournalWriteOutcome::Written(entry) | JournalWriteOutcome::Unchanged(entry) => entry,
        JournalWriteOutcome::Empty => panic!("there are files"),
    }
}

/// The tree that git writes for the files, through a separate index.
fn by_git(worktree: &LockedWorktree) -> String {
    let fresh = worktree.git_dir().join("fresh");
    let done = std::process::Command::new("sh")
        .args(["-ec", "git read-tree HEAD; git add -A; git write-tree"])
        .env("GIT_INDEX_FILE", &fresh)
        .current_dir(worktree.path())
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::remove_file(fresh).expect("there");
    String::from_utf8(done.stdout).expect("text").trim().to_owned()
}

/// Checks that the entry's commit equals the one that `git commit-tree` makes, byte by byte.
fn assert_gits_commit(world: &World, entry: &JournalEntry) {
    let commit = world.person_git(&["cat-file", "commit", entry.commit.as_str()]);
    let (header, message) = commit.split_once("\n\n").expect("a message");
    let parents: Vec<&str> =
        header.lines().filter_map(|line| line.strip_prefix("parent ")).collect();
    let signature = signature();
    let mut again = std::process::Command::new("git");
    again.arg("commit-tree").arg(entry.tree.as_str()).current_dir(world.person());
    for parent in parents {
        again.args(["-p", parent]);
    }
    for (role, person) in [("AUTHOR", &signature.author), ("COMMITTER", &signature.committer)] {
        again.env(format!("GIT_{role}_NAME"), person.name());
        again.env(format!("GIT_{role}_EMAIL"), person.email());
        again.env(format!("GIT_{role}_DATE"), format!("@{} +0000", signature.at));
    }
    let again = again.args(["-m", message.trim_end()]).output().expect("runs");
    assert_eq!(String::from_utf8_lossy(&again.stdout).trim(), entry.commit.as_str());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn w_14_for_any_change_the_tree_equals_that_of_git(
        first in prop::collection::vec(change(), 0..20),
        second in prop::collection::vec(change(), 1..20),
    ) {
        tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
            let world = World::new().await;
            first.iter().for_each(|change| change.make(&world.person()));
            world.person_git(&["add", "-A"]);
            world.person_git(&["commit", "-q", "--allow-empty", "-m", "more"]);
            let worktree = world.add("one").await;
            second.iter().for_each(|change: &Change| change.make(worktree.path()));
            let entry = saved(&world, &worktree).await;
            assert_eq!(entry.tree.as_str(), by_git(&worktree), "{first:?} {second:?}");
            assert_gits_commit(&world, &entry);
            world.fsck();
        });
    }
}

/// W-14: files that git stores in a converted form are left to git.
#[tokio::test]
async fn w_14_converted_files_are_saved_as_git_stores_them() {
    type Case = (&'static str, fn(&Path));
    let cases: &[Case] = &[
        ("line ends", |top| write(&top.join("a.txt"), "one\r\ntwo\r\n")),
        ("a filter", |top| {
            git_in(top, &["config", "filter.upper.clean", "tr a-z A-Z"]);
            write(&top.join("dir/.gitattributes"), "*.up filter=upper\n");
            write(&top.join("dir/x.up"), "shout\n");
        }),
        ("a filter in an untracked file", |top| {
            git_in(top, &["config", "filter.upper.clean", "tr a-z A-Z"]);
            write(&top.join("dir/.gitignore"), ".gitattributes\n");
            write(&top.join("dir/.gitattributes"), "*.up filter=upper\n");
            write(&top.join("dir/x.up"), "shout\n");
        }),
        ("identity", |top| {
            write(&top.join(".gitattributes"), "*.id ident\n");
            write(&top.join("x.id"), "$Id: old$\n");
        }),
    ];
    for (name, change) in cases {
        let world = World::new().await;
        write(&world.person().join(".gitattributes"), "* text=auto\n");
        world.person_git(&["add", "-A"]);
        world.person_git(&["commit", "-q", "-m", "attributes"]);
        let worktree = world.add("one").await;
        change(worktree.path());
        let entry = saved(&world, &worktree).await;
        assert_eq!(entry.tree.as_str(), by_git(&worktree), "{name}");
    }
}
