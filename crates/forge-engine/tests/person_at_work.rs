//! A user works in the checkout of the target while tasks land there (M-7): real git in its own thread, which edits,
//! adds, commits, stashes and switches branches as fast as it can.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_engine::TaskSpec;
use forge_testkit::engine_fixture::EngineFixture;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender};

/// Default number of landings; `FORGE_TEST_LANDINGS` sets more.
const LANDINGS: usize = 20;
/// Files that tasks change and that the user has open for a while.
const AREAS: usize = 4;
/// How many landings the user waits for between rounds.
const BETWEEN: usize = 4;
/// An agent that runs what its task says after `RUN: `.
const OBEYS: &str = "eval \"$(sed -n 's/^RUN: //p' \"$FORGE_PROMPT_FILE\")\"";

/// A user at a keyboard. If git reports that another git is running, the user tries again.
struct Person {
    place: PathBuf,
    rounds: usize,
    notes: String,
}

impl Person {
    fn try_git(&self, arguments: &[&str]) -> (bool, String) {
        let done = Command::new("git")
            .args(["-c", "user.name=A Person", "-c", "user.email=person@example.org"])
            .args(arguments)
            .current_dir(&self.place)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git runs");
        let said = [done.stdout, done.stderr].concat();
        (done.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut said = String::new();
        for _ in 0..500 {
            let (ok, output) = self.try_git(arguments);
            if ok {
                return output;
            }
            said = output;
        }
        panic!("git {arguments:?} never worked: {said}");
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.place.join(name), content).expect("written");
    }

    fn reads(&self, name: &str, expected: &str) {
        let found = std::fs::read_to_string(self.place.join(name)).expect("it is there");
        assert_eq!(found, expected, "{name} is the person's, in round {}", self.rounds);
    }

    fn round(&mut self) {
        let number = self.rounds;
        let own = format!("mine-{number}.txt");
        self.notes.push_str(&format!("note {number}\n"));
        self.write(&own, &format!("of round {number}\n"));
        self.write("notes.txt", &self.notes);
        // A file that tasks are about to change, open in an editor and discarded in the end.
        let area = format!("area-{}.txt", number % AREAS);
        self.write(&area, "being edited\n");
        self.git(&["status", "--porcelain"]);
        self.git(&["add", &own, "notes.txt"]);
        self.reads(&area, "being edited\n");
        self.git(&["commit", "--quiet", "-m", &format!("person {number}")]);
        self.reads(&area, "being edited\n");
        self.git(&["checkout", "--quiet", "--", &area]);
        // An unfinished change, stashed and restored after a visit to another branch.
        self.write("notes.txt", &format!("{}half an idea\n", self.notes));
        self.git(&["stash", "push", "--quiet", "--", "notes.txt"]);
        self.git(&["switch", "--quiet", "side"]);
        self.reads("side.txt", "elsewhere\n");
        self.git(&["switch", "--quiet", "main"]);
        self.git(&["stash", "pop", "--quiet"]);
        self.reads("notes.txt", &format!("{}half an idea\n", self.notes));
        self.git(&["checkout", "--quiet", "--", "notes.txt"]);
        // Commit all changes at once.
        self.notes.push_str(&format!("more {number}\n"));
        self.write("notes.txt", &self.notes);
        self.git(&["commit", "--quiet", "-a", "-m", &format!("person {number} again")]);
        self.reads("notes.txt", &self.notes);
        self.reads(&own, &format!("of round {number}\n"));
        self.rounds += 1;
    }

    /// Runs one round for every few landings, concurrently with the next ones.
    fn works_beside(mut self, rounds: usize, landed: &Receiver<()>) -> Self {
        while self.rounds < rounds {
            self.round();
            for _ in 0..BETWEEN {
                // The sender is gone: no more landings come.
                if landed.recv().is_err() {
                    break;
                }
            }
        }
        self
    }
}

/// Sends a message each time the branch moves.
async fn tell_landings(
    mut wakes: forge_store::WakeSubscription,
    branch: PathBuf,
    landed: Sender<()>,
) {
    let mut before = Vec::new();
    while wakes.next().await.is_some() {
        let now = std::fs::read(&branch).unwrap_or_default();
        if now != before && landed.send(()).is_err() {
            return;
        }
        before = now;
    }
}

fn landings() -> usize {
    std::env::var("FORGE_TEST_LANDINGS").map_or(LANDINGS, |text| text.parse().expect("a number"))
}

async fn prepare(world: &EngineFixture) {
    let repository = &world.repository;
    repository.git(&["checkout", "--quiet", "-b", "side"]).await;
    repository.write("side.txt", "elsewhere\n");
    repository.commit("side").await;
    repository.git(&["checkout", "--quiet", "main"]).await;
    for area in 0..AREAS {
        repository.write(&format!("area-{area}.txt"), "start\n");
    }
    repository.write("notes.txt", "");
    repository.commit("areas").await;
}

/// What each task changes; the first ones change files that the user has open.
fn work(number: usize) -> String {
    match number {
        0..AREAS => format!("echo task >> area-{number}.txt"),
        _ => format!("echo {number} > task-{number}.txt"),
    }
}

fn names(listed: &str) -> BTreeSet<String> {
    listed.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m_7_a_user_working_in_the_target_checkout_loses_nothing_and_blocks_nothing() {
    let world = EngineFixture::new().await;
    prepare(&world).await;
    let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
    let count = landings();
    let mut tasks = Vec::new();
    for number in 0..count {
        let agent = world.agent(&format!("coder-{}", number / 10), OBEYS).await.unwrap();
        let description = format!("RUN: {}", work(number));
        let title = format!("landing {number}");
        let asked = TaskSpec { title, description, ..TaskSpec::default() };
        let task = world
            .engine()
            .commands()
            .create_task(EngineFixture::acting_user(), project, asked)
            .await
            .unwrap()
            .id;
        world.claim(task, agent).await.unwrap();
        tasks.push(task);
    }
    let place: &Path = world.repository.path();
    let person = Person { place: place.to_owned(), rounds: 0, notes: String::new() };
    let (landed, landings) = std::sync::mpsc::channel();
    let rounds = count / BETWEEN;
    let working = std::thread::spawn(move || person.works_beside(rounds, &landings));
    let wakes = world.engine().db().subscribe(forge_store::WakeChannel::Events);
    let telling = tokio::spawn(tell_landings(wakes, place.join(".git/refs/heads/main"), landed));
    world.settle().await.unwrap();
    telling.abort();
    let person = working.join().expect("the person got through");
    world.settle().await.unwrap();

    for task in tasks {
        let task = world.load_task(task).await;
        assert_eq!(task.state.as_str(), "done", "{}: {:?}", task.title, task.annotation);
    }
    let repository = &world.repository;
    let log = repository.git(&["log", "--format=%s", "main"]).await;
    let expected = 2 + count + 2 * person.rounds;
    assert_eq!(log.lines().count(), expected, "each commit once: {log}");
    assert_eq!(names(&log).len(), expected);
    assert_eq!(repository.git(&["rev-list", "--merges", "main"]).await, "");
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "", "all of it is there");
    // No commit reverts what another one brought.
    for commit in repository.git(&["log", "--format=%H %s", "main"]).await.lines() {
        let (id, subject) = commit.split_once(' ').unwrap();
        let show = ["diff-tree", "--root", "--no-commit-id", "-r", "--name-only", id];
        let changed = names(&repository.git(&show).await);
        if let Some(rest) = subject.strip_prefix("person ") {
            let number = rest.trim_end_matches(" again");
            let mut own = names("notes.txt");
            if !rest.ends_with("again") {
                own.insert(format!("mine-{number}.txt"));
            }
            assert_eq!(changed, own, "{subject}");
        } else if subject.starts_with("landing ") {
            assert_eq!(changed.len(), 1, "{subject}: {changed:?}");
        }
    }
    for number in AREAS..count {
        person.reads(&format!("task-{number}.txt"), &format!("{number}\n"));
    }
    println!("{count} landings beside {} rounds of a person", person.rounds);
}
