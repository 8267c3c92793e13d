//! Fifty live tasks on the radar (M-14): every pair equals what `git merge` gives in a clone, and only moved branches
//! are examined again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::TaskId;
use forge_engine::{RadarPassStats, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const BRANCHES: usize = 50;
/// An agent that runs what its task says after `RUN: `.
const OBEYS: &str = "eval \"$(sed -n 's/^RUN: //p' \"$FORGE_PROMPT_FILE\")\"";

/// Lines of one file, new files, renames, deletions, modes, and directories in place of files.
fn work(n: usize) -> String {
    match n % 10 {
        0 | 1 => format!("sed -i '{}s/.*/task {n}/' long.txt", n % 7 * 3 + 1),
        2 => format!("echo {n} > new-{}.txt", n % 4),
        3 => format!("git mv moved-{0}.txt away-{n}.txt", n % 3),
        4 => format!("git rm -q moved-{}.txt", n % 3),
        5 => format!("echo {n} >> moved-{}.txt", n % 3),
        6 => format!("rm dir; mkdir dir 2>/dev/null; echo {n} > dir/inner-{n}"),
        7 => format!("echo {n} > dir"),
        8 => format!("mkdir -p deep/er; echo {n} > deep/er/own-{n}"),
        _ => format!("chmod +x long.txt; echo {n} >> own-{n}.txt"),
    }
}

/// The files on which `git merge` stops, for each pair, in one clone.
fn merged(repository: &Path, place: &Path, pairs: &[(&str, &str)]) -> Vec<BTreeSet<String>> {
    let git = |directory: &Path, arguments: &[&str]| {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b", "-c", "core.fsync=none"])
            .args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
            .args(arguments)
            .current_dir(directory)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .expect("git runs");
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let (from, to) = (repository.to_str().unwrap(), place.to_str().unwrap());
    assert!(git(repository, &["clone", "-q", "--shared", "--no-checkout", from, to]).0);
    let mut found = Vec::new();
    let mut on = "";
    for (one, other) in pairs {
        if on != *one {
            assert!(git(place, &["checkout", "-q", "--force", "--detach", one]).0);
            on = one;
        }
        let (clean, _) = git(place, &["merge", "-q", "--no-commit", "--no-ff", other]);
        let mut files = BTreeSet::new();
        if !clean {
            let (_, unmerged) = git(place, &["ls-files", "-z", "--unmerged"]);
            let paths = unmerged.split_terminator('\0').filter_map(|line| line.split_once('\t'));
            // Git names a file that made way for a directory after its side.
            files = paths.map(|(_, path)| path.split('~').next().unwrap().to_owned()).collect();
            assert!(!files.is_empty());
        }
        assert!(git(place, &["reset", "-q", "--hard"]).0);
        if !clean {
            assert!(git(place, &["clean", "-qffdx"]).0);
        }
        found.push(files);
    }
    found
}

async fn prepare(world: &EngineFixture) {
    let lines: String = (1..=24).map(|line| format!("line {line}\n")).collect();
    for name in ["long.txt", "moved-0.txt", "moved-1.txt", "moved-2.txt"] {
        world.repository.write(name, &format!("{name}\n{lines}"));
    }
    world.repository.write("dir", "a file\n");
    world.repository.commit("ground").await;
}

async fn look_at_all(world: &EngineFixture) -> RadarPassStats {
    world.engine().radar().queue_all_branches().await.unwrap();
    world.engine().radar().check_moved_branches().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m_14_fifty_live_tasks_conflict_exactly_where_git_merge_stops() {
    let world = EngineFixture::new().await;
    prepare(&world).await;
    let project = world.board_project().await;
    let mut tasks = Vec::new();
    for n in 0..BRANCHES {
        let agent = world.agent(&format!("coder-{}", n / 10), OBEYS).await.unwrap();
        let description = format!("RUN: {}", work(n));
        let asked = TaskSpec { title: format!("task {n}"), description, ..TaskSpec::default() };
        let task = world.task(project, asked).await.unwrap();
        world.claim(task, agent).await.unwrap();
        tasks.push(task);
    }
    world.settle().await.unwrap();
    let looked = look_at_all(&world).await;
    assert_eq!((looked.moved, looked.pairs), (50, 50 * 49 / 2), "{looked:?}");
    assert!(looked.merged < looked.pairs, "what shares no path needs no merge: {looked:?}");

    let mut heads = Vec::new();
    for task in &tasks {
        let branch = world.load_task(*task).await.workspace.expect("a workspace").branch;
        heads.push(world.repository.git(&["rev-parse", &branch]).await);
    }
    let found = world.engine().radar().conflicts(project).await.unwrap();
    assert_eq!(found.branches.len(), BRANCHES);
    let told: BTreeMap<BTreeSet<TaskId>, BTreeSet<String>> = found
        .pairs
        .into_iter()
        .map(|pair| {
            let [one, other] = pair.branches.map(|branch| branch.task.id);
            (BTreeSet::from([one, other]), pair.files.into_iter().collect())
        })
        .collect();
    let pairs: Vec<(usize, usize)> =
        (0..BRANCHES).flat_map(|one| (one + 1..BRANCHES).map(move |other| (one, other))).collect();
    let head = |place: usize| heads[place].as_str();
    let asked: Vec<(&str, &str)> =
        pairs.iter().map(|(one, other)| (head(*one), head(*other))).collect();
    let expected = merged(world.repository.path(), &world.home().join("clone"), &asked);
    assert_eq!(expected.len(), looked.pairs, "every pair that the radar was asked about");
    let mut clashes = 0;
    for ((one, other), files) in pairs.into_iter().zip(expected) {
        let pair = BTreeSet::from([tasks[one], tasks[other]]);
        let said = told.get(&pair).cloned().unwrap_or_default();
        assert_eq!(said, files, "{} and {}", work(one), work(other));
        clashes += usize::from(!files.is_empty());
    }
    assert_eq!((told.len(), looked.detected), (clashes, clashes));
    assert!(clashes > 50, "{clashes}");

    // M-14: an unmoved branch costs nothing; a moved one costs its own pairs.
    assert_eq!(look_at_all(&world).await, RadarPassStats::default());
    let directory = world.workspace_dir(tasks[8]).await;
    std::fs::write(directory.join("long.txt"), "something else\n").unwrap();
    TestRepository::open(&directory).commit("by hand").await;
    let looked = look_at_all(&world).await;
    assert_eq!((looked.moved, looked.pairs), (1, BRANCHES - 1), "{looked:?}");
    assert!(looked.merged < BRANCHES && looked.detected > 0, "{looked:?}");
    assert_eq!(look_at_all(&world).await, RadarPassStats::default());
}
