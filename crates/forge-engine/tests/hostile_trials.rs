//! Misbehaving checks on the merged tree (M-6, M-11): each landing ends with a report, and nothing of them remains.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_domain::task::{AnnotationType, ReviewConfig, TaskSnapshot};
use forge_engine::{EngineLimits, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;

async fn scene(limits: EngineLimits) -> (EngineFixture, ProjectId) {
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
    (world, project)
}

/// Lands a task without review, with these checks on the merged tree.
async fn lands(
    world: &EngineFixture,
    project: ProjectId,
    title: &str,
    steps: &[&str],
) -> TaskSnapshot {
    lands_within(world, project, title, steps, None).await
}

/// Does the same with a timeout for each check.
async fn lands_within(
    world: &EngineFixture,
    project: ProjectId,
    title: &str,
    steps: &[&str],
    timeout_seconds: Option<u64>,
) -> TaskSnapshot {
    let ci_steps = steps.iter().map(|step| (*step).to_owned()).collect();
    let review_config = Some(ReviewConfig { ci_steps, timeout_seconds, ..ReviewConfig::default() });
    let asked = TaskSpec { review_config, ..EngineFixture::task_request(title) };
    let script = "echo \"$FORGE_TASK_ID\" > \"work-$FORGE_TASK_ID\"";
    let task = world.claimed_task(project, asked, "coder", script).await;
    world.settle().await.unwrap();
    world.load_task(task).await
}

/// Nothing of a trial remains: no directory, no record, no process.
async fn is_clean(world: &EngineFixture, project: ProjectId) {
    let traces = world.end_state(project).await;
    assert!(traces.sound && traces.processes.is_empty(), "{traces:#?}");
    let trials: Vec<_> =
        traces.workspaces.iter().filter(|name| name.starts_with("_merge-")).collect();
    assert!(trials.is_empty(), "{trials:?}");
    let worktrees = world.repository.git(&["worktree", "list"]).await;
    assert!(!worktrees.contains("_merge-"), "{worktrees}");
    assert_eq!(traces.open_steps, 0);
}

fn alive(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !(state.is_empty() || state.contains(") Z "))
}

#[tokio::test]
async fn m_6_a_trial_check_that_hangs_or_forks_daemons_is_reported_and_leaves_no_process() {
    let (world, project) = scene(EngineFixture::limits()).await;
    // The step continues once its daemon has printed its pid and closed that pipe; the daemon keeps the step's own
    // output open.
    let daemon = "pid=\"$(setsid sh -c 'echo $$; exec sleep 600 > /dev/null' &)\"; echo \"$pid\" >> \"$HOME/daemons\"";
    let task = lands(&world, project, "daemon", &[daemon]).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    let hangs = format!("{daemon}; echo waiting; exec sleep 600");
    let task = lands_within(&world, project, "hangs", &[&hangs, "true"], Some(2)).await;
    assert_eq!(task.state.as_str(), "merge_failed");
    let trouble = task.annotation.clone().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeChecksFailed);
    assert_eq!(trouble.details["results"][0]["outcome"], "timed_out", "{trouble:?}");
    // On a busy machine the timeout may come before its first output.
    let tail = trouble.details["results"][0]["output_tail"].as_str().expect("its last words");
    assert!("waiting\n".starts_with(tail), "{tail}");
    assert_eq!(trouble.details["results"].as_array().map(Vec::len), Some(1), "and none after it");
    let daemons = world.lines("daemons");
    assert!(!daemons.is_empty(), "the first was up");
    assert!(!daemons.iter().any(|pid| alive(pid)), "{daemons:?}");
    assert_eq!(world.repository.subjects("main").await, ["daemon (T-1)", "first"]);
    is_clean(&world, project).await;
}

#[tokio::test]
async fn m_6_a_check_of_a_trial_that_floods_fills_neither_disk_nor_database() {
    let (world, project) =
        scene(EngineLimits { log_bytes: 100_000, ..EngineFixture::limits() }).await;
    let flood = "yes 'a line of the flood' | head -c 5000000; echo the end; exit 1";
    let task = lands(&world, project, "floods", &[flood]).await;
    let trouble = task.annotation.clone().expect("it says why");
    let tail = trouble.details["results"][0]["output_tail"].as_str().unwrap();
    assert!(tail.len() <= 4096 && tail.ends_with("the end\n"), "{} bytes", tail.len());
    assert!(trouble.details.to_string().len() < 20_000);
    let mut logs = 0;
    for entry in std::fs::read_dir(world.home().join("data/logs")).unwrap().flatten() {
        logs += entry.metadata().unwrap().len();
    }
    assert!(logs < 300_000, "{logs} bytes");
    is_clean(&world, project).await;
}

#[tokio::test]
async fn m_6_only_the_tested_tree_lands_whatever_trial_checks_write() {
    let (world, project) = scene(EngineFixture::limits()).await;
    let cases = [
        ("outside", "echo sneaked > \"$HOME/repo/sneaked.txt\""),
        (
            "commits",
            "echo x > x; git add x; git -c user.name=c -c user.email=c@x commit -qm sneaked",
        ),
        (
            "branch",
            "git checkout -q -B \"$FORGE_BRANCH\" 2>/dev/null; git branch -f forge/other HEAD; true",
        ),
        ("gone", "d=$PWD; cd /; rm -rf \"$d\""),
        ("dot git", "rm .git; git init -q ."),
        ("link", "d=$PWD; cd /; mv \"$d\" \"$HOME/aside\"; ln -s \"$HOME/aside\" \"$d\""),
        ("record", "rm -rf \"$(git rev-parse --git-dir)\""),
        ("locked", "git worktree lock . 2>/dev/null; chmod -R a-w .; true"),
    ];
    let mut expected = vec!["first".to_owned()];
    for (number, (title, step)) in cases.iter().enumerate() {
        let task = lands(&world, project, title, &[step]).await;
        assert_eq!(task.state.as_str(), "done", "{title}: {:?}", task.annotation);
        expected.insert(0, format!("{title} (T-{})", number + 1));
        assert_eq!(world.repository.subjects("main").await, expected, "{title}");
        let shown = ["diff-tree", "--no-commit-id", "-r", "--name-only", "main"];
        let changed = world.repository.git(&shown).await;
        assert_eq!(changed, format!("work-{}", task.id), "{title}");
        is_clean(&world, project).await;
    }
    let person = world.repository.git(&["status", "--porcelain"]).await;
    assert_eq!(person, "?? sneaked.txt", "it is the person's to look at");
}

/// A check that moves the target lands nothing unseen: the landing goes on top of the moved target.
#[tokio::test]
async fn m_9_a_check_that_moves_the_target_is_contention() {
    let (world, project) = scene(EngineFixture::limits()).await;
    let step = "test -e \"$HOME/moved\" || { touch \"$HOME/moved\"; \
                git -C \"$HOME/repo\" -c user.name=c -c user.email=c@x commit -q --allow-empty -m meanwhile; }";
    let task = lands(&world, project, "moves", &[step]).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(world.repository.subjects("main").await, ["moves (T-1)", "meanwhile", "first"]);
    is_clean(&world, project).await;
}

/// W-17, M-6: without disk space for a trial the landing waits, and continues once there is some.
#[tokio::test]
async fn m_6_a_full_disk_while_a_trial_is_made_leaves_nothing_half_done() {
    if !forge_testkit::namespace::run_in_namespace(
        "m_6_a_full_disk_while_a_trial_is_made_leaves_nothing_half_done",
    ) {
        return;
    }
    let mut world = EngineFixture::new().await;
    let large = "0123456789abcdef".repeat(40_000);
    world.repository.write("large.txt", &large);
    world.repository.commit("large").await;
    let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
    world.stop().await;
    // Space for one checkout, not for two.
    let place = world.workspaces();
    forge_testkit::namespace::mount(&["-t", "tmpfs", "-o", "size=1000k", "tmpfs"], &place);
    world.restart().await;
    let task = lands(&world, project, "Work", &["test -e large.txt"]).await;
    let trouble = task.annotation.clone().expect("it says why");
    assert!(trouble.message.contains("No space left"), "{}", trouble.message);
    assert_eq!(world.repository.subjects("main").await, ["large", "first"]);
    is_clean(&world, project).await;
    let kept = std::path::PathBuf::from(task.workspace.clone().unwrap().path);
    assert!(kept.join(format!("work-{}", task.id)).exists(), "P-1: the work is there");
    forge_testkit::namespace::mount(&["-o", "remount,size=20m"], &place);
    let task = world.move_to(task.id, "in_progress").await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    is_clean(&world, project).await;
}
