//! Fifty live tasks on the radar (M-14): every pair is what `git merge` makes of it in a clone, and only what moved is
//! looked at again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::TaskId;
use forge_engine::{Looked, NewTask};
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const BRANCHES: usize = 50;
/// An agent that does what its task says after `RUN: `.
const OBEYS: &str = "eval \"$(sed -n 's/^RUN: //p' \"$FORGE_PROMPT_FILE\")\"";

/// Lines of one file, new files, renames, deletions, modes and directories in the place of files.
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

/// The files on which `git merge` stops, for each pair, in a clone of its own.
fn merged(repository: &Path, place: &Path, pairs: &[(String, String)]) -> Vec<BTreeSet<String>> {
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
        if on != one {
            assert!(git(place, &["checkout", "-q", "--force", "--detach", one]).0);
            on = one;
        }
        let (clean, _) = git(place, &["merge", "-q", "--no-commit", "--no-ff", other]);
        let mut files = BTreeSet::new();
        if !clean {
            let (_, unmerged) = git(place, &["ls-files", "-z", "--unmerged"]);
            let paths = unmerged.split_terminator('\0').filter_map(|line| line.split_once('\t'));
            // Git calls a file that made way for a directory after its side.
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

/// The pairs that git cannot merge: all of them asked of one process.
fn clashing(
    repository: &Path,
    pairs: &[(TaskId, TaskId)],
    heads: &BTreeMap<TaskId, String>,
) -> BTreeSet<BTreeSet<TaskId>> {
    let mut git = std::process::Command::new("git")
        .args(["merge-tree", "--write-tree", "--stdin", "--no-messages", "--name-only"])
        .current_dir(repository)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("git runs");
    let lines: String =
        pairs.iter().map(|(one, other)| format!("{} {}\n", heads[one], heads[other])).collect();
    let mut stdin = git.stdin.take().expect("piped");
    let writing =
        std::thread::spawn(move || std::io::Write::write_all(&mut stdin, lines.as_bytes()));
    let said = git.wait_with_output().expect("ends").stdout;
    writing.join().expect("joins").expect("is read");
    let said = String::from_utf8_lossy(&said).into_owned();
    // For each pair: whether it is clean, the tree, the files; an empty field ends it.
    let mut fields = said.split('\0');
    let mut found = BTreeSet::new();
    for (one, other) in pairs {
        let clean = fields.next().expect("an answer") == "1";
        fields.next().expect("a tree");
        while fields.next().is_some_and(|field| !field.is_empty()) {}
        if !clean {
            found.insert(BTreeSet::from([*one, *other]));
        }
    }
    found
}

async fn prepare(world: &World) {
    let lines: String = (1..=24).map(|line| format!("line {line}\n")).collect();
    for name in ["long.txt", "moved-0.txt", "moved-1.txt", "moved-2.txt"] {
        world.repository.write(name, &format!("{name}\n{lines}"));
    }
    world.repository.write("dir", "a file\n");
    world.repository.commit("ground").await;
}

async fn look_at_all(world: &World) -> Looked {
    world.engine().notice_all().await.unwrap();
    world.engine().look_around().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m_14_fifty_live_tasks_clash_exactly_where_git_merge_stops() {
    let world = World::new().await;
    prepare(&world).await;
    let project = world.board().await;
    let mut tasks = Vec::new();
    for n in 0..BRANCHES {
        let agent = world.agent(&format!("coder-{}", n / 10), OBEYS).await.unwrap();
        let description = format!("RUN: {}", work(n));
        let asked = NewTask { title: format!("task {n}"), description, ..NewTask::default() };
        let task = world.task(project, asked).await.unwrap();
        world.claim(task, agent).await.unwrap();
        tasks.push(task);
    }
    world.settle().await.unwrap();
    let looked = look_at_all(&world).await;
    assert_eq!((looked.moved, looked.pairs), (50, 50 * 49 / 2), "{looked:?}");
    assert!(looked.merged < looked.pairs, "what shares no path needs no merge: {looked:?}");

    let mut heads: BTreeMap<TaskId, String> = BTreeMap::new();
    for task in &tasks {
        let branch = world.now(*task).await.workspace.expect("a workspace").branch;
        heads.insert(*task, world.repository.git(&["rev-parse", &branch]).await);
    }
    let ids: Vec<TaskId> = tasks.clone();
    let pairs: Vec<(TaskId, TaskId)> = (0..BRANCHES)
        .flat_map(|one| (one + 1..BRANCHES).map(move |other| (one, other)))
        .map(|(one, other)| (ids[one], ids[other]))
        .collect();
    let found = world.engine().conflicts(project).await.unwrap();
    assert_eq!(found.branches.len(), BRANCHES);
    let told: BTreeMap<BTreeSet<TaskId>, BTreeSet<String>> = found
        .pairs
        .into_iter()
        .map(|pair| {
            let [one, other] = pair.branches.map(|branch| branch.task.id);
            (BTreeSet::from([one, other]), pair.files.into_iter().collect())
        })
        .collect();
    let clashes = clashing(world.repository.path(), &pairs, &heads);
    let said: BTreeSet<BTreeSet<TaskId>> = told.keys().cloned().collect();
    assert_eq!(said, clashes, "every pair is what git makes of it");
    assert_eq!(looked.detected, clashes.len());
    assert!(clashes.len() > 50, "{}", clashes.len());
    // Each tenth pair as a person would find out, with the files.
    let pairs: Vec<(TaskId, TaskId)> = pairs.into_iter().step_by(10).collect();
    let asked: Vec<(String, String)> =
        pairs.iter().map(|(one, other)| (heads[one].clone(), heads[other].clone())).collect();
    let (repository, home) = (world.repository.path(), world.home());
    let halves = asked.split_at(asked.len() / 2);
    let expected = std::thread::scope(|scope| {
        let first = scope.spawn(|| merged(repository, &home.join("clone-1"), halves.0));
        let mut second = merged(repository, &home.join("clone-2"), halves.1);
        let mut all = first.join().expect("merges");
        all.append(&mut second);
        all
    });
    for ((one, other), files) in pairs.iter().zip(expected) {
        let said = told.get(&BTreeSet::from([*one, *other])).cloned().unwrap_or_default();
        let place = |id: &TaskId| tasks.iter().position(|task| task == id).unwrap();
        assert_eq!(said, files, "{} and {}", work(place(one)), work(place(other)));
    }

    // M-14: what has not moved costs nothing; one that has, its own pairs.
    assert_eq!(look_at_all(&world).await, Looked::default());
    let directory = world.directory(tasks[8]).await;
    std::fs::write(directory.join("long.txt"), "something else\n").unwrap();
    Repository::at(&directory).commit("by hand").await;
    let looked = look_at_all(&world).await;
    assert_eq!((looked.moved, looked.pairs), (1, BRANCHES - 1), "{looked:?}");
    assert!(looked.merged < BRANCHES && looked.detected > 0, "{looked:?}");
    assert_eq!(look_at_all(&world).await, Looked::default());
}
