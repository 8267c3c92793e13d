//! Nothing that a repository or an agent configured runs, and the user's checkout stays as it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{
    DiffLimits, DiffScope, SquashOutcome, Worktree, WorktreeCorruption, WorktreeVerifyError,
};
use support::{World, branch, git_in, signature, tripwire, write};

const HOOKS: &[&str] = &[
    "pre-commit",
    "commit-msg",
    "prepare-commit-msg",
    "post-commit",
    "post-checkout",
    "post-merge",
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
    "post-rewrite",
    "fsmonitor-watchman",
];

/// Runs every operation once.
async fn everything(world: &World) {
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "changed\n");
    write(&worktree.path().join("picture.bin"), "b\n");
    let base = world.main().await;
    for scope in [DiffScope::Uncommitted, DiffScope::Branch, DiffScope::All] {
        let diff = worktree.diff(&base, scope, DiffLimits::default()).await.expect("a diff");
        assert!(scope == DiffScope::Branch || diff.to_patch().contains("+changed\n"));
    }
    worktree.summary(&base).await.expect("a summary");
    worktree.verify().await.expect("sound");
    worktree.is_clean().await.expect("reads");
    let head = worktree.commit_all("m", &signature()).await.expect("commits").head;
    let SquashOutcome::Clean { tree } = world.repo.try_squash(&base, &head).await.expect("merges")
    else {
        panic!("not clean");
    };
    let parents = [base.clone()];
    let new = world.repo.commit_tree(&tree, &parents, "m\n", &signature()).await.expect("commits");
    let locked = world.lock().await;
    let mut held = locked.lock_checkouts(&branch("main"), &base, &new).await.expect("holds");
    locked.move_branch(&branch("main"), &new, &base, "land").await.expect("moves");
    for held in held.take_following() {
        held.fast_forward(&locked, &base, &new).await.expect("goes forward");
    }
    locked.remove_worktree(&world.hold("one").await).await.expect("removes");
    locked.delete_branch(&branch("forge/one"), &head).await.expect("deletes");
}

fn traces(world: &World) -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(world.home().join("wires"))
        .expect("reads")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".ran"))
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn e_6_hooks_and_configured_programs_are_never_run() {
    let world = World::new().await;
    let wires = world.home().join("wires");
    std::fs::create_dir(&wires).expect("made");
    let wire = |name: &str| tripwire(&wires, name).to_string_lossy().into_owned();
    // Committed before the traps are set: the user's own git would trigger them.
    write(&world.person().join(".gitattributes"), "*.bin diff=odd\n*.txt diff=odd\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "attributes"]);
    let hooks = world.home().join("hooks");
    for hook in HOOKS {
        let wire = wire(hook);
        std::os::unix::fs::symlink(&wire, world.person().join(".git/hooks").join(hook))
            .expect("links");
        std::fs::create_dir_all(&hooks).expect("made");
        std::os::unix::fs::symlink(&wire, hooks.join(hook)).expect("links");
    }
    for (key, value) in [
        ("core.hooksPath", hooks.to_string_lossy().into_owned()),
        ("core.fsmonitor", wire("fsmonitor")),
        ("core.pager", wire("pager")),
        ("core.editor", wire("editor")),
        ("core.askPass", wire("askpass")),
        ("diff.external", wire("external")),
        ("diff.odd.command", wire("command")),
        ("diff.odd.textconv", wire("textconv")),
        ("gpg.program", wire("gpg")),
        ("commit.gpgSign", "true".to_owned()),
        ("credential.helper", wire("credential")),
    ] {
        git_in(&world.home(), &["config", "-f", "person/.git/config", key, &value]);
    }
    everything(&world).await;
    assert_eq!(traces(&world), Vec::<String>::new());
    // The traps work: plain git triggers some of them.
    support::try_git_in(&world.person(), &["commit", "-q", "--allow-empty", "-m", "x"]);
    assert!(!traces(&world).is_empty());
}

#[tokio::test]
async fn p_2_the_users_checkout_stays_the_same_byte_by_byte() {
    let world = World::new().await;
    let person = world.person();
    // The user is on another branch than the landing target, with every kind of local change.
    world.person_git(&["checkout", "-q", "-b", "mine"]);
    write(&person.join("stashed"), "s\n");
    world.person_git(&["stash", "-q", "-u"]);
    write(&person.join("a.txt"), "edited\n");
    write(&person.join("staged"), "s\n");
    world.person_git(&["add", "staged"]);
    write(&person.join("untracked"), "u\n");
    let before = world.person_bytes();
    everything(&world).await;
    let mut after = world.person_bytes();
    let landed = person.join(".git/refs/heads/main");
    assert_ne!(before.get(&landed), after.get(&landed), "work landed");
    if let Some(old) = before.get(&landed) {
        after.insert(landed, old.clone());
    }
    assert_eq!(before, after);
    world.fsck();
}

#[tokio::test]
async fn w_5_an_agents_environment_of_git_does_not_reach_ours() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    // A rewritten `.git` redirects nothing: Forge passes the paths from its own records to git.
    let decoy = world.home().join("decoy");
    git_in(&world.home(), &["init", "-q", "decoy"]);
    write(&worktree.path().join(".git"), format!("gitdir: {}/.git\n", decoy.display()));
    write(&worktree.path().join("work"), "w\n");
    let collected = worktree.commit_all("m", &signature()).await.expect("commits");
    assert_eq!(world.repo.tip(&branch("forge/one")).await.expect("reads"), Some(collected.head));
    assert!(!decoy.join(".git/index").exists());
}

async fn corruption(worktree: &Worktree) -> WorktreeCorruption {
    match worktree.verify().await {
        Err(WorktreeVerifyError::Corrupt(corruption)) => corruption,
        other => panic!("{other:?}"),
    }
}

type Attack = (&'static str, fn(&Worktree));

#[tokio::test]
async fn w_6_a_hostile_worktree_is_reported_and_no_link_is_followed() {
    let cases: &[Attack] = &[
        ("git init", |worktree| {
            std::fs::remove_file(worktree.path().join(".git")).expect("there");
            git_in(worktree.path(), &["init", "-q"]);
        }),
        ("deleted .git", |worktree| {
            std::fs::remove_file(worktree.path().join(".git")).expect("there");
        }),
        ("redirected .git", |worktree| {
            write(&worktree.path().join(".git"), "gitdir: /somewhere/else\n");
        }),
        ("symlinked .git", |worktree| {
            std::fs::remove_file(worktree.path().join(".git")).expect("there");
            std::os::unix::fs::symlink(worktree.git_dir(), worktree.path().join(".git"))
                .expect("links");
        }),
        ("symlinked directory", |worktree| {
            let aside = worktree.path().with_extension("aside");
            std::fs::rename(worktree.path(), &aside).expect("moves");
            std::os::unix::fs::symlink(aside, worktree.path()).expect("links");
        }),
        ("directory gone", |worktree| {
            std::fs::remove_dir_all(worktree.path()).expect("there");
        }),
        ("other branch", |worktree| {
            git_in(worktree.path(), &["checkout", "-q", "-b", "mine"]);
        }),
        ("detached", |worktree| {
            git_in(worktree.path(), &["checkout", "-q", "--detach"]);
        }),
        ("branch deleted", |worktree| {
            git_in(worktree.path(), &["update-ref", "-d", "refs/heads/forge/one"]);
        }),
        ("index deleted", |worktree| {
            std::fs::remove_file(worktree.git_dir().join("index")).expect("there");
        }),
        // The state after a power cut.
        ("index emptied", |worktree| {
            std::fs::write(worktree.git_dir().join("index"), "").expect("written");
        }),
    ];
    for (case, attack) in cases {
        let world = World::new().await;
        let worktree = world.add("one").await;
        attack(&worktree);
        let found = corruption(&worktree).await;
        let expected = match *case {
            "directory gone" => matches!(found, WorktreeCorruption::DirectoryMissing(_)),
            "symlinked directory" => matches!(found, WorktreeCorruption::NotADirectory(_)),
            "other branch" | "detached" => matches!(found, WorktreeCorruption::WrongBranch { .. }),
            "branch deleted" => matches!(found, WorktreeCorruption::BranchMissing { .. }),
            "index deleted" | "index emptied" => {
                matches!(found, WorktreeCorruption::DamagedRecord { .. })
            }
            _ => matches!(found, WorktreeCorruption::GitFile { .. }),
        };
        assert!(expected, "{case}: {found}");
    }
}
