//! Git settings that an agent plants in the repository start nothing in the server, and wait for a person (W-19).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::task::AnnotationType;
use forge_domain::{TaskCommand, TaskId};
use forge_engine::{DiffLimits, DiffScope, SettingsChangeKind};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Plants everything without running git, so that only the server's git could trigger it.
const PLANT: &str = r#"
common=$(git rev-parse --path-format=absolute --git-common-dir)
own=$(git rev-parse --absolute-git-dir)
cp "$common/config" "$HOME/config.before"
drivers() {
  printf '[filter "%s"]\n\tclean = %s\n\tsmudge = %s\n\tprocess = %s\n' "$1" "$HOME/trap" "$HOME/trap" "$HOME/trap"
  printf '[merge "%s"]\n\tdriver = %s\n[diff "%s"]\n\ttextconv = %s\n\tcommand = %s\n' "$1" "$HOME/trap" "$1" "$HOME/trap" "$HOME/trap"
}
drivers a >> "$common/config"
drivers b > "$HOME/included"
drivers c > "$HOME/included-if"
{
  printf '[include]\n\tpath = %s\n' "$HOME/included"
  printf '[includeIf "gitdir:/"]\n\tpath = %s\n' "$HOME/included-if"
  printf '[extensions]\n\tworktreeConfig = true\n'
  printf '[core]\n\tfsmonitor = %s\n\thooksPath = %s\n\tsshCommand = %s\n\tpager = %s\n\teditor = %s\n' "$HOME/trap" "$HOME/hooks" "$HOME/trap" "$HOME/trap" "$HOME/trap"
  printf '\tattributesFile = %s\n\texcludesFile = %s\n\tworktree = /\n' "$HOME/everywhere" "$HOME/nothing"
  printf '[merge]\n\tdefault = a\n[diff]\n\texternal = %s\n' "$HOME/trap"
  printf '[gpg]\n\tprogram = %s\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n' "$HOME/trap"
  printf '[alias]\n\tstatus = !%s\n\tadd = !%s\n\tdiff = !%s\n' "$HOME/trap" "$HOME/trap" "$HOME/trap"
} >> "$common/config"
drivers d > "$common/config.worktree"
drivers d > "$own/config.worktree"
mkdir -p "$HOME/hooks"
for hook in post-checkout reference-transaction post-index-change pre-commit post-merge; do
  cp "$HOME/trap" "$HOME/hooks/$hook"; cp "$HOME/trap" "$common/hooks/$hook"
done
echo '* filter=b merge=b diff=b' > "$common/info/attributes"
echo '*.txt filter=c merge=c' > "$HOME/everywhere"
echo '*.txt' > "$HOME/nothing"
echo '*.txt filter=d merge=d diff=d' > .gitattributes
echo planted > planted.txt
printf 'ONE\ntwo\nthree\n' > numbers.txt
"#;

fn trap(world: &EngineFixture) -> PathBuf {
    let (trap, ran) = (world.home().join("trap"), world.home().join("trap.ran"));
    std::fs::write(&trap, format!("#!/bin/sh\necho \"$@\" >> '{}'\ncat\n", ran.display())).unwrap();
    std::fs::set_permissions(&trap, std::fs::Permissions::from_mode(0o755)).unwrap();
    ran
}

/// Reads a task in every available way.
async fn look(world: &EngineFixture, task: TaskId) {
    let now = world.load_task(task).await;
    let engine = world.engine();
    engine.workspace_views().workspace_summary(&now).await.expect("a summary");
    for summary in engine.workspace_views().workspace_summaries(std::slice::from_ref(&now)).await {
        summary.expect("a line of the list");
    }
    let diff = engine
        .workspace_views()
        .diff(&now, DiffScope::All, DiffLimits::default())
        .await
        .expect("a diff");
    assert!(!diff.diff.files.is_empty());
    assert!(!engine.journals().journal_entries(&now).await.expect("a journal").is_empty());
}

async fn only_repo(world: &EngineFixture) -> tables::repos::RepoRow {
    tables::repos::list(world.engine().db())
        .await
        .unwrap()
        .into_iter()
        .next()
        .expect("a repository")
}

#[tokio::test]
async fn issue_13_07_planted_settings_start_nothing_in_the_server_and_park_the_task() {
    let mut world = EngineFixture::new().await;
    let ran = trap(&world);
    let project = world.board_project().await;
    // Another task that changes the same file, and is not at its gate yet.
    let checked = EngineFixture::checked_task_request("Other", &["true"]);
    let other = world
        .claimed_task(project, checked, "other", "printf 'one\\ntwo\\nTHREE\\n' > numbers.txt")
        .await;
    world.settle().await.unwrap();
    let planter =
        world.work_on(EngineFixture::checked_task_request("Work", &["true"]), PLANT).await;
    let now = world.load_task(planter).await;
    assert_eq!(now.state.as_str(), "blocked", "{:?}", now.annotation);
    let trouble = now.annotation.expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::RepositoryConfigChanged);
    assert!(trouble.message.contains("accept-config"), "{}", trouble.message);
    let text = trouble.details.to_string();
    for key in ["filter.a.clean", "filter.b.clean", "filter.c.clean", "filter.d.clean"] {
        assert!(text.contains(key), "{key}: {text}");
    }
    for key in ["merge.a.driver", "include.path", "core.attributesfile", "info/attributes"] {
        assert!(text.contains(key), "{key}: {text}");
    }
    look(&world, planter).await;
    look(&world, other).await;
    // The other task does not land either before a person has looked.
    let stopped = world.land_task(other).await;
    assert_eq!(stopped.annotation.unwrap().kind, AnnotationType::RepositoryConfigChanged);
    // A new task gets its files as stored; the same holds after a restart, and for a cancelled task.
    world.restart().await;
    let next = world
        .claimed_task(project, EngineFixture::task_request("Next"), "next", "echo next > next.txt")
        .await;
    world.settle().await.unwrap();
    let place = world.workspace_dir(next).await;
    assert_eq!(std::fs::read_to_string(place.join("numbers.txt")).unwrap(), "one\ntwo\nthree\n");
    look(&world, next).await;
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), next, cancel).await.unwrap();
    world.settle().await.unwrap();
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
    // A person undoes it, and everything continues.
    let config = world.repository.path().join(".git/config");
    std::fs::copy(world.home().join("config.before"), &config).unwrap();
    std::fs::remove_file(world.repository.path().join(".git/info/attributes")).unwrap();
    for hook in std::fs::read_dir(world.repository.path().join(".git/hooks")).unwrap() {
        std::fs::remove_file(hook.unwrap().path()).unwrap();
    }
    for task in [other, planter] {
        world.move_to(task, "review").await;
        let now = world.land_task(task).await;
        assert_eq!(now.state.as_str(), "done", "{:?}", now.annotation);
    }
    assert_eq!(world.repository.git(&["show", "main:numbers.txt"]).await, "ONE\ntwo\nTHREE");
    assert_eq!(world.repository.git(&["show", "main:planted.txt"]).await, "planted");
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
}

#[tokio::test]
async fn issue_13_07_an_accepted_driver_counts_from_then_on() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let script = "git config filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' > .gitattributes; echo one > one.up";
    let task = world.worked_task(script).await;
    assert_eq!(
        world.load_task(task).await.annotation.unwrap().kind,
        AnnotationType::RepositoryConfigChanged
    );
    let repo = only_repo(&world).await;
    let engine = world.engine();
    let changes = engine.repos().repo_config_changes(project, repo.id).await.unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (changes[0].key.as_str(), changes[0].kind),
        ("filter.up.clean", SettingsChangeKind::Added)
    );
    assert_eq!(changes[0].file, world.repository.path().join(".git/config"));
    let accepted = engine
        .repos()
        .accept_repo_config(EngineFixture::acting_user(), project, repo.id)
        .await
        .unwrap();
    assert_eq!(accepted, changes);
    assert_eq!(engine.repos().repo_config_changes(project, repo.id).await.unwrap(), []);
    let second = world
        .claimed_task(
            project,
            EngineFixture::task_request("Second"),
            "second",
            "echo two > two.up; echo '*.up filter=up' > .gitattributes",
        )
        .await;
    world.settle().await.unwrap();
    let landed = world.land_task(second).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(world.repository.git(&["cat-file", "blob", "main:two.up"]).await, "TWO");
}

#[tokio::test]
async fn issue_13_07_a_broken_config_parks_with_its_reason_and_holds_nothing_else() {
    let mut world = EngineFixture::new().await;
    let project = world.board_project().await;
    let script = "printf '[core\\nnonsense ===\\n' >> \"$(git rev-parse --git-common-dir)/config\"; echo x > x.txt";
    let task = world.worked_task(script).await;
    let trouble = world.load_task(task).await.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::RepositoryConfigChanged);
    assert!(trouble.message.contains("bad config"), "{}", trouble.message);
    look(&world, task).await;
    // Everything that needs no settings of the repository continues, also after a restart.
    world.restart().await;
    look(&world, task).await;
    let other = world
        .claimed_task(project, EngineFixture::task_request("Other"), "other", "echo y > y.txt")
        .await;
    world.settle().await.unwrap();
    look(&world, other).await;
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), other, cancel).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(other).await.state.as_str(), "cancelled");
    // After the repair the task lands.
    let config = world.repository.path().join(".git/config");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("[core\nnonsense ===\n", "")).unwrap();
    world.move_to(task, "review").await;
    let landed = world.land_task(task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
}

#[tokio::test]
async fn issue_13_07_repositories_of_an_older_version_are_copied_at_the_first_start() {
    let mut world = EngineFixture::new().await;
    let project = world.board_project().await;
    world.stop().await;
    let copies = world.home().join("data/git-settings");
    std::fs::remove_dir_all(&copies).unwrap();
    world.restart().await;
    assert_eq!(std::fs::read_dir(&copies).unwrap().count(), 1, "copied at the start");
    world.repository.git(&["config", "filter.late.clean", "cat"]).await;
    let repo = only_repo(&world).await;
    let changes = world.engine().repos().repo_config_changes(project, repo.id).await.unwrap();
    assert_eq!(changes.len(), 1);
}

#[tokio::test]
async fn issue_13_07_processes_of_a_driver_do_not_outlive_the_server() {
    let mut world = EngineFixture::new().await;
    // Outside git's process group; the filter continues once the daemon has printed its pid.
    let daemon = world.home().join("daemon");
    let clean = format!(
        "pid=$(setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' &); echo $pid > {0}; cat",
        daemon.display()
    );
    world.repository.git(&["config", "filter.d.clean", &clean]).await;
    let task = world.worked_task("echo '*.d filter=d' > .gitattributes; echo x > x.d").await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    world.stop().await;
    let pid = std::fs::read_to_string(&daemon).unwrap();
    let command = std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim()));
    assert!(!command.unwrap_or_default().contains("sleep"));
}
