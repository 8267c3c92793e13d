//! Git settings that an agent writes into a repository have no effect in the server (W-19).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::Path;

use forge_git::{
    DiffLimits, DiffScope, Journal, JournalEntryMetadata, JournalReason, LockedWorktree,
    MergeOutcome, Repo, SettingsChangeKind, SquashOutcome, WorktreeBranch,
};
use support::{World, branch, git_in, read, signature, try_git_in, write};

/// A program that leaves a trace and copies its input to its output, as a filter does.
fn trap(world: &World) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = world.home().join("trap");
    let text = format!("#!/bin/sh\necho \"$@\" >> '{}'\ncat\n", trace(world).display());
    write(&path, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("runnable");
    path.display().to_string()
}

fn trace(world: &World) -> std::path::PathBuf {
    world.home().join("trap.ran")
}

fn append(path: &Path, text: &str) {
    let mut content = std::fs::read(path).unwrap_or_default();
    content.extend_from_slice(text.as_bytes());
    write(path, content);
}

/// A name, and a function that plants a setting, given the world and the path of the program to run.
type Trick = (&'static str, fn(&World, &str));

fn config(world: &World) -> std::path::PathBuf {
    world.person().join(".git/config")
}

fn drivers(trap: &str) -> String {
    format!(
        "[filter \"x\"]\n\tclean = {trap} clean\n\tsmudge = {trap} smudge\n\
         [merge \"x\"]\n\tdriver = {trap} merge %A\n"
    )
}

fn in_every_file(world: &World) {
    write(&world.person().join(".git/info/attributes"), "* filter=x merge=x diff=x\n");
}

const TRICKS: &[Trick] = &[
    ("clean and smudge filter, info/attributes", |world, trap| {
        append(&config(world), &drivers(trap));
        in_every_file(world);
    }),
    ("process filter", |world, trap| {
        append(&config(world), &format!("[filter \"x\"]\n\tprocess = {trap} process\n"));
        in_every_file(world);
    }),
    ("include.path", |world, trap| {
        write(&world.home().join("included"), drivers(trap));
        append(
            &config(world),
            &format!("[include]\n\tpath = {}/included\n", world.home().display()),
        );
        in_every_file(world);
    }),
    ("includeIf", |world, trap| {
        write(&world.home().join("included"), drivers(trap));
        let home = world.home();
        append(
            &config(world),
            &format!("[includeIf \"gitdir:/\"]\n\tpath = {}/included\n", home.display()),
        );
        in_every_file(world);
    }),
    ("config.worktree", |world, trap| {
        append(&config(world), "[extensions]\n\tworktreeConfig = true\n");
        write(&world.person().join(".git/config.worktree"), drivers(trap));
        for record in std::fs::read_dir(world.person().join(".git/worktrees")).expect("reads") {
            write(&record.expect("an entry").path().join("config.worktree"), drivers(trap));
        }
        in_every_file(world);
    }),
    ("core.attributesFile", |world, trap| {
        write(&world.home().join("everywhere"), "* filter=x merge=x\n");
        let home = world.home();
        append(&config(world), &drivers(trap));
        append(
            &config(world),
            &format!("[core]\n\tattributesFile = {}/everywhere\n", home.display()),
        );
    }),
    ("attributes in the tree", |world, trap| append(&config(world), &drivers(trap))),
    ("merge.default", |world, trap| {
        append(&config(world), &drivers(trap));
        append(&config(world), "[merge]\n\tdefault = x\n");
    }),
    ("core.fsmonitor", |world, trap| {
        append(&config(world), &format!("[core]\n\tfsmonitor = {trap}\n"));
    }),
    ("core.hooksPath", |world, trap| {
        let hooks = world.home().join("hooks");
        for hook in ["post-checkout", "reference-transaction", "post-index-change", "pre-commit"] {
            std::fs::create_dir_all(&hooks).expect("made");
            std::fs::copy(trap, hooks.join(hook)).expect("copied");
            std::fs::copy(trap, world.person().join(".git/hooks").join(hook)).expect("copied");
        }
        append(&config(world), &format!("[core]\n\thooksPath = {}\n", hooks.display()));
    }),
    ("diff programs", |world, trap| {
        append(
            &config(world),
            &format!(
                "[diff]\n\texternal = {trap}\n[diff \"x\"]\n\ttextconv = {trap}\n\tcommand = {trap}\n"
            ),
        );
        in_every_file(world);
    }),
    ("core.sshCommand, alias, gpg.program", |world, trap| {
        append(
            &config(world),
            &format!(
                "[core]\n\tsshCommand = {trap}\n\tpager = {trap}\n\teditor = {trap}\n[alias]\n\tstatus = !{trap}\n\
                 \tadd = !{trap}\n[gpg]\n\tprogram = {trap}\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n"
            ),
        );
    }),
    ("core.excludesFile", |world, _| {
        write(&world.home().join("nothing"), "*\n");
        let home = world.home();
        append(&config(world), &format!("[core]\n\texcludesFile = {}/nothing\n", home.display()));
        append(&world.person().join(".git/info/exclude"), "*\n");
    }),
    ("core.worktree", |world, _| {
        append(&config(world), &format!("[core]\n\tworktree = {}\n", world.home().display()));
    }),
    ("a broken config", |world, _| append(&config(world), "[core\nnonsense ===\n")),
    ("a FIFO for a config", |world, _| {
        std::fs::remove_file(config(world)).expect("there");
        let made = std::process::Command::new("mkfifo").arg(config(world)).status();
        assert!(made.expect("runs").success());
    }),
];

/// Edits, reads, saves, merges, lands and cleans up, first in a worktree that existed before.
async fn whole_life(world: &World, worktree: &LockedWorktree, name: &str) {
    let base = world.main().await;
    write(&worktree.path().join("a.txt"), format!("{name}\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"));
    write(&worktree.path().join("new.txt"), "new\n");
    write(&worktree.path().join(".gitattributes"), "*.txt filter=x merge=x diff=x\n");
    for scope in [DiffScope::Uncommitted, DiffScope::All] {
        let diff = worktree.diff(&base, scope, DiffLimits::default()).await.expect("a diff");
        assert!(diff.to_patch().contains("+new\n"), "{name}: the new file is seen");
    }
    assert_eq!(worktree.summary(&base).await.expect("a summary").untracked, 2, "{name}");
    worktree.verify().await.expect("sound");
    assert!(!worktree.is_clean().await.expect("reads"));
    let journal = Journal::for_task(&world.repo, name).expect("a journal");
    let note = JournalEntryMetadata {
        reason: JournalReason::Periodic,
        execution: None,
        signature: signature(),
    };
    journal
        .save_workspace(&world.locks, &worktree.snapshot_source(), &note)
        .await
        .expect("is saved");
    worktree.commit_all(name, &signature()).await.expect("commits");
    // Both sides change the file in different places.
    let person = world.person();
    let ours = git_in_plain(&person, &["rev-parse", "main"]);
    assert_eq!(ours.trim(), base.as_str());
    let other = world.repo.tip(&branch("other")).await.expect("reads").expect("is there");
    let message = "their change";
    let met = worktree.merge_commit(&other, message, &signature()).await.expect("merges");
    assert!(matches!(met, MergeOutcome::Clean), "{name}: {met:?}");
    let head = worktree.head().await.expect("a commit");
    let squash = world.repo.try_squash(&base, &head).await.expect("merges");
    let SquashOutcome::Clean { tree } = squash else { panic!("{name}: {squash:?}") };
    let parents = [base.clone()];
    let new = world.repo.commit_tree(&tree, &parents, "m\n", &signature()).await.expect("commits");
    let locked = world.lock().await;
    let mut held = locked.lock_checkouts(&branch("main"), &base, &new).await.expect("holds");
    let held = held.take_following();
    assert_eq!(held.len(), 1, "{name}: the person's checkout");
    locked.move_branch(&branch("main"), &new, &base, "land").await.expect("moves");
    for held in held {
        held.fast_forward(&locked, &base, &new).await.expect("goes forward");
    }
    assert_eq!(read(&person.join("new.txt")), "new\n", "{name}: stored as it was written");
    locked.remove_worktree(worktree.workspace_lock()).await.expect("removes");
}

/// Runs git without the planted settings.
fn git_in_plain(directory: &Path, arguments: &[&str]) -> String {
    let output = std::process::Command::new("git")
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMON_DIR", directory.join(".git-clean"))
        .env("GIT_DIR", directory.join(".git"))
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Creates a common directory with default settings, to inspect the repository with.
fn make_clean(person: &Path) {
    let clean = person.join(".git-clean");
    std::fs::create_dir(&clean).expect("made");
    for name in ["objects", "refs", "packed-refs", "logs", "worktrees"] {
        std::os::unix::fs::symlink(person.join(".git").join(name), clean.join(name))
            .expect("links");
    }
    write(&clean.join("config"), "[core]\n\tbare = false\n");
    write(&person.join(".git/info/exclude"), "/.git-clean\n");
}

async fn prepared() -> (World, LockedWorktree) {
    let world = World::isolated(|person| {
        make_clean(person);
        git_in(person, &["checkout", "-q", "-b", "other"]);
        write(&person.join("a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n");
        git_in(person, &["commit", "-q", "-a", "-m", "other"]);
        git_in(person, &["checkout", "-q", "main"]);
    })
    .await;
    let worktree = world.add("one").await;
    (world, worktree)
}

#[tokio::test]
async fn issue_13_07_settings_planted_after_registration_have_no_effect() {
    for (name, plant) in TRICKS {
        let (world, worktree) = prepared().await;
        let trap = trap(&world);
        plant(&world, &trap);
        whole_life(&world, &worktree, "one").await;
        // Repeat for a task that starts after the one that planted the setting has ended, and after a restart.
        let again = Repo::open(&world.git, &world.person()).await.expect("opens");
        assert_eq!(again.common_dir(), world.repo.common_dir(), "{name}");
        let new = WorktreeBranch::New { name: branch("forge/two"), base: world.main().await };
        let hold = world.hold("two").await;
        let second = again.add_worktree(&world.locks, &hold, &new).await.expect("a worktree");
        assert_eq!(read(&second.path().join("new.txt")), "new\n", "{name}");
        write(&second.path().join("second.txt"), "second\n");
        second.summary(&world.main().await).await.expect("a summary");
        second.commit_all("second", &signature()).await.expect("commits");
        assert!(!trace(&world).exists(), "{name}: {}", read(&trace(&world)));
        let changes = world.repo.settings_changes().await.expect("compares");
        if *name != "core.hooksPath" {
            assert!(!changes.is_empty(), "{name} is seen");
        }
    }
}

#[tokio::test]
async fn issue_13_07_plain_git_triggers_the_traps_of_this_test() {
    let (world, worktree) = prepared().await;
    let trap = trap(&world);
    append(&config(&world), &drivers(&trap));
    in_every_file(&world);
    write(&worktree.path().join("new.txt"), "new\n");
    try_git_in(worktree.path(), &["add", "new.txt"]);
    assert!(trace(&world).exists());
}

#[tokio::test]
async fn issue_13_07_a_submodules_own_settings_run_nothing() {
    let (world, worktree) = prepared().await;
    let trap = trap(&world);
    let inner = worktree.path().join("inner");
    git_in(worktree.path(), &["init", "-q", "inner"]);
    write(&inner.join("file.txt"), "one\n");
    git_in(&inner, &["add", "-A"]);
    git_in(&inner, &["commit", "-q", "-m", "inner"]);
    let inner_head = git_in(&inner, &["rev-parse", "HEAD"]);
    write(
        &worktree.path().join(".gitmodules"),
        "[submodule \"inner\"]\n\tpath = inner\n\turl = x\n",
    );
    let link = format!("160000,{},inner", inner_head.trim());
    git_in(worktree.path(), &["update-index", "--add", "--cacheinfo", &link]);
    append(&inner.join(".git/config"), &drivers(&trap));
    append(&inner.join(".git/config"), &format!("[core]\n\tfsmonitor = {trap}\n"));
    write(&inner.join(".git/info/attributes"), "* filter=x\n");
    write(&inner.join("file.txt"), "two\n");
    let base = world.main().await;
    worktree.summary(&base).await.expect("a summary");
    worktree.is_clean().await.expect("reads");
    worktree.diff(&base, DiffScope::All, DiffLimits::default()).await.expect("a diff");
    let journal = Journal::for_task(&world.repo, "one").expect("a journal");
    let note = JournalEntryMetadata {
        reason: JournalReason::Periodic,
        execution: None,
        signature: signature(),
    };
    journal
        .save_workspace(&world.locks, &worktree.snapshot_source(), &note)
        .await
        .expect("is saved");
    worktree.commit_all("inner", &signature()).await.expect("commits");
    worktree.nested_repositories().await.expect("reads");
    assert!(!trace(&world).exists(), "{}", read(&trace(&world)));
}

#[tokio::test]
async fn issue_13_07_drivers_that_were_there_at_registration_keep_working() {
    let world = World::isolated(|person| {
        git_in(person, &["config", "filter.upper.clean", "tr a-z A-Z"]);
        git_in(person, &["config", "filter.upper.smudge", "tr A-Z a-z"]);
        write(&person.join("included"), "[merge \"both\"]\n\tdriver = cat %B >> %A\n");
        git_in(person, &["config", "include.path", "../included"]);
        write(&person.join(".gitattributes"), "*.up filter=upper\nlist merge=both\n");
        write(&person.join("list"), "a\n");
        write(&person.join("one.up"), "one\n");
        git_in(person, &["add", "-A"]);
        git_in(person, &["commit", "-q", "-m", "drivers"]);
    })
    .await;
    let worktree = world.add("one").await;
    assert_eq!(read(&worktree.path().join("one.up")), "one\n", "smudged");
    write(&worktree.path().join("two.up"), "two\n");
    write(&worktree.path().join("list"), "b\n");
    let head = worktree.commit_all("work", &signature()).await.expect("commits").head;
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{head}:two.up")]), "TWO\n");
    write(&world.person().join("list"), "c\n");
    world.person_git(&["commit", "-q", "-a", "-m", "c"]);
    let squash = world.repo.try_squash(&world.main().await, &head).await.expect("merges");
    let SquashOutcome::Clean { tree } = squash else { panic!("{squash:?}") };
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{tree}:list")]), "c\nb\n");
    // The driver still applies after an agent removed it, and the change is reported.
    world.person_git(&["config", "--remove-section", "filter.upper"]);
    write(&worktree.path().join("three.up"), "three\n");
    let head = worktree.commit_all("more", &signature()).await.expect("commits").head;
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{head}:three.up")]), "THREE\n");
    let changes = world.repo.settings_changes().await.expect("compares");
    let removed: Vec<_> = changes.iter().map(|change| change.key.as_str()).collect();
    assert_eq!(removed, ["filter.upper.clean", "filter.upper.smudge"]);
    assert!(changes.iter().all(|change| change.kind == SettingsChangeKind::Removed));
}

#[tokio::test]
async fn issue_13_07_a_difference_names_key_and_file_until_a_user_accepts_it() {
    let (world, worktree) = prepared().await;
    assert_eq!(world.repo.settings_changes().await.expect("compares"), []);
    // Changes from everyday work of git and agents are no difference.
    git_in(worktree.path(), &["config", "user.email", "agent@example.org"]);
    git_in(worktree.path(), &["config", "branch.main.remote", "origin"]);
    git_in(worktree.path(), &["remote", "add", "fork", "https://example.org/fork"]);
    assert_eq!(world.repo.settings_changes().await.expect("compares"), []);
    let included = world.home().join("included");
    write(&included, "[filter \"up\"]\n\tclean = tr a-z A-Z\n");
    git_in(worktree.path(), &["config", "include.path", &included.display().to_string()]);
    git_in(worktree.path(), &["config", "core.hooksPath", ".husky"]);
    write(&world.person().join(".git/info/attributes"), "*.up filter=up\n");
    let changes = world.repo.settings_changes().await.expect("compares");
    let found: Vec<_> = changes
        .iter()
        .map(|change| (change.key.as_str(), change.file.clone(), change.holds))
        .collect();
    assert_eq!(
        found,
        [
            ("core.hookspath", config(&world), false),
            ("filter.up.clean", included.clone(), true),
            ("include.path", config(&world), true),
            ("attributes", world.person().join(".git/info/attributes"), true),
        ]
    );
    write(&worktree.path().join("one.up"), "one\n");
    let head = worktree.commit_all("one", &signature()).await.expect("commits").head;
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{head}:one.up")]), "one\n");
    world.repo.accept_settings().await.expect("is copied");
    assert_eq!(world.repo.settings_changes().await.expect("compares"), []);
    write(&worktree.path().join("two.up"), "two\n");
    let head = worktree.commit_all("two", &signature()).await.expect("commits").head;
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{head}:two.up")]), "TWO\n");
    // From here on the accepted file itself is compared.
    write(&included, "[filter \"up\"]\n\tclean = other\n");
    let changes = world.repo.settings_changes().await.expect("compares");
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].kind, SettingsChangeKind::Changed);
}

#[tokio::test]
async fn issue_13_07_a_broken_config_is_reported_with_its_reason() {
    let (world, _worktree) = prepared().await;
    append(&config(&world), "[core\nnonsense ===\n");
    let changes = world.repo.settings_changes().await.expect("compares");
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].kind, SettingsChangeKind::Unreadable);
    assert!(changes[0].holds);
    assert_eq!(changes[0].file, config(&world));
    assert!(changes[0].reason.as_deref().is_some_and(|reason| reason.contains("bad config")));
    assert!(world.repo.accept_settings().await.is_err(), "it cannot be copied");
}

#[tokio::test]
async fn issue_13_07_programs_that_git_starts_are_ended_with_it() {
    let world = World::isolated(|person| {
        let clean = "pid=$(setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' &); \
                     echo $pid > daemon; cat";
        git_in(person, &["config", "filter.x.clean", clean]);
        write(&person.join(".git/info/attributes"), "*.x filter=x\n");
    })
    .await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("one.x"), "one\n");
    worktree.commit_all("one", &signature()).await.expect("commits");
    let pid = read(&worktree.path().join("daemon"));
    let alive = Path::new("/proc").join(pid.trim()).join("cmdline");
    let command = std::fs::read_to_string(&alive).unwrap_or_default();
    assert!(!command.contains("sleep"), "{command}");
}
