//! Nothing an agent does can lose work (P-1, W-5, W-6, W-8, W-14): random lifecycles with hostile agents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, Assignee, ResetScope, TaskCommand, TaskId};
use forge_engine::Clock;
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of lifecycles in a normal run; `FORGE_TEST_LIFECYCLES` sets more, as `make soak` does.
const USUAL: usize = 20;
/// Tasks that share a world, and can reach each other's branches.
const TOGETHER: usize = 10;
const TURNS: usize = 3;

/// What an execution does after writing its files. `$n` is its number; `w FILE TEXT` writes one.
const ACTS: [(&str, &str); 14] = [
    ("nothing", ""),
    ("commits", "git add -A; git commit -qm work"),
    ("git init", "rm -f .git; git init -q; git add -A; git commit -qm theirs; w init.txt init"),
    (
        "switches branches",
        "git checkout -q -b side-$t-$n; w side.txt side; git add -A; git commit -qm side",
    ),
    ("deletes .git", "rm -rf .git; w after.txt after"),
    (
        "puts a symlink in the place of the directory",
        "git add -A; git commit -qm before; d=$PWD; cd ..; mv $d $HOME/away-$t-$n; ln -s $HOME/away-$t-$n $d",
    ),
    ("leaves index.lock", ": > $(git rev-parse --git-dir)/index.lock; w locked.txt locked"),
    (
        "deletes its branch",
        "git checkout -q --detach; git branch -qD $FORGE_BRANCH; w gone.txt gone",
    ),
    (
        "checks out another task's branch",
        "git checkout -q --ignore-other-worktrees $(git for-each-ref --format='%(refname:short)' --sort=-refname refs/heads/forge | head -n 1); w other.txt other",
    ),
    (
        "makes a repository inside",
        "git init -q app; cd app; w inner.txt inner; git add -A; git commit -qm inner; w loose.txt loose",
    ),
    (
        "leaves commits behind",
        "git checkout -q --detach; w stray.txt stray; git add -A; git commit -qm stray; git checkout -q $FORGE_BRANCH",
    ),
    (
        "stages one thing and leaves another",
        "w twice.txt staged; git add twice.txt; w twice.txt left",
    ),
    (
        "hides a file from git",
        "git update-index --assume-unchanged numbers.txt; w numbers.txt hidden",
    ),
    ("removes its directory", "git add -A; git commit -qm before; d=$PWD; cd /; rm -rf $d"),
];

/// Each task has a file per execution; a copy of all written content is kept outside.
const AGENT: &str = r#"
t=$FORGE_TASK_ID; n=$(cat "$HOME/plan/$t.next"); echo $((n + 1)) > "$HOME/plan/$t.next"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
k=0
w() { k=$((k + 1)); echo "$t $n $2" > "$1"; cp "$1" "$HOME/written/$t-$n-$k"; }
w "file-$n.txt" first
mkdir -p "dir $n"; w "dir $n/deep.txt" deep
. "$HOME/plan/$t.$n"
"#;

/// A small random generator, so that a seed reproduces a run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

fn wanted() -> usize {
    #[expect(clippy::disallowed_methods, reason = "how long the suite may take is asked here")]
    let asked = std::env::var("FORGE_TEST_LIFECYCLES").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(USUAL)
}

fn bytes_below(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            bytes_below(&entry.path(), found);
        } else {
            found.insert(entry.path(), std::fs::read(entry.path()).unwrap());
        }
    }
}

/// Everything of the user's: files, index, HEAD, stash, settings, hooks. Without what all worktrees share: objects,
/// references of tasks, and the exclude line of the lock file.
fn person(world: &EngineFixture) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    bytes_below(world.repository.path(), &mut found);
    let git = world.repository.path().join(".git");
    let shared = [
        "objects",
        "worktrees",
        "refs/forge",
        "refs/heads/forge",
        "logs/refs/heads/forge",
        "info/exclude",
    ];
    found.retain(|path, _| {
        let own = !shared.iter().any(|part| path.starts_with(git.join(part)));
        own && !path.to_string_lossy().contains("/side-")
    });
    found
}

async fn furnish(world: &EngineFixture) {
    let repository = &world.repository;
    repository.write("numbers.txt", "stashed\n");
    repository.git(&["stash"]).await;
    repository.git(&["config", "user.nickname", "me"]).await;
    repository.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 0\n");
    repository.write("staged.txt", "staged\n");
    repository.git(&["add", "staged.txt"]).await;
    repository.write("README.md", "being edited\n");
    repository.write("loose.txt", "loose\n");
    // From here on only the user may refresh the index.
    repository.git(&["status"]).await;
}

/// Performs everything that is due within ten minutes. A removal may wait while another task's agent has the branch
/// checked out; any other effect that does not end is a failure.
async fn settle(world: &EngineFixture, tasks: &[TaskId]) {
    let db = world.engine().db();
    for _ in 0..20 {
        world.engine().drain().await.unwrap();
        match tables::effects::next_due_at(db).await.unwrap() {
            Some(next) if next.millis() <= world.clock.now().millis() + 600_000 => {
                world.clock.advance_to(next);
            }
            _ => return,
        }
    }
    let mut open = Vec::new();
    for task in tasks {
        let steps = tables::effects::list_of_task(db, *task).await.unwrap();
        let open_ones: Vec<_> = steps.into_iter().filter(|step| step.open).collect();
        let waits = open_ones.iter().any(|step| {
            step.last_error.as_ref().is_some_and(|why| why.contains("is checked out at"))
        });
        open.extend(open_ones.into_iter().filter(|_| !waits));
    }
    assert!(open.is_empty(), "some steps never end: {open:#?}");
}

/// Starts another execution of the task, whatever the last one led to.
async fn again(world: &EngineFixture, dice: &mut Dice, task: TaskId, agent: AgentId) {
    let tasks = [task];
    let snapshot = world.load_task(task).await;
    if snapshot.annotation.is_some() {
        let reset = if dice.roll(4) == 0 { ResetScope::Worktree } else { ResetScope::Workspace };
        let assignee = Assignee::Agent { id: agent };
        let command = TaskCommand::Assign { role: RoleName::new("coder"), assignee, reset };
        world.engine().commands().handle(EngineFixture::acting_user(), task, command).await.ok();
        settle(world, &tasks).await;
    }
    for (from, to) in [("review", "in_progress"), ("blocked", "todo"), ("blocked", "in_progress")] {
        world.move_between(task, from, to).await.ok();
    }
    let claim = TaskCommand::Claim { claimer: Assignee::Agent { id: agent } };
    world.engine().commands().handle(EngineFixture::acting_user(), task, claim).await.ok();
}

/// The ids of all written contents, with their files.
async fn written(world: &EngineFixture, home: &Path) -> BTreeMap<String, String> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(home.join("written"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    names.sort();
    let mut found = BTreeMap::new();
    for some in names.chunks(500) {
        let mut arguments = vec!["hash-object", "--no-filters", "--"];
        arguments.extend(some.iter().map(|name| name.to_str().unwrap()));
        let ids = world.repository.git(&arguments).await;
        for (id, name) in ids.lines().zip(some) {
            let text = std::fs::read_to_string(name).unwrap();
            found.insert(id.to_owned(), format!("{}: {text}", name.display()));
        }
    }
    found
}

async fn lifecycles(seed: u64, count: usize) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut world = EngineFixture::new().await;
    let home = world.home().to_owned();
    for directory in ["plan", "written"] {
        std::fs::create_dir(home.join(directory)).unwrap();
    }
    furnish(&world).await;
    let before = person(&world);
    let project = world.board_project().await;
    let agent = world.agent("coder", AGENT).await.unwrap();
    let mut tasks = Vec::new();
    let mut story = Vec::new();
    for number in 0..count {
        let asked = EngineFixture::task_request(&format!("Task {number}"));
        let task = world.task(project, asked).await.unwrap();
        std::fs::write(home.join(format!("plan/{task}.next")), "0\n").unwrap();
        // After its planned executions a task does no more harm.
        for turn in 0..TURNS * 3 {
            let (name, script) = if turn < TURNS { ACTS[dice.roll(ACTS.len())] } else { ACTS[0] };
            std::fs::write(home.join(format!("plan/{task}.{turn}")), format!("{script}\n"))
                .unwrap();
            if turn < TURNS {
                story.push(format!("{task} {turn}: {name}"));
            }
        }
        tasks.push(task);
    }
    let story = format!("seed {seed}\n{}", story.join("\n"));
    for round in 0..TURNS {
        for task in &tasks {
            again(&world, &mut dice, *task, agent).await;
        }
        settle(&world, &tasks).await;
        if dice.roll(3) == 0 && round + 1 < TURNS {
            world.restart().await;
        }
    }
    for task in &tasks {
        let cancel = TaskCommand::Cancel { reason: None };
        world.engine().commands().handle(EngineFixture::acting_user(), *task, cancel).await.ok();
    }
    // One removal can wait for another, which waits a day.
    for _ in 0..3 {
        world.clock.advance_to(world.clock.now().plus_seconds(2 * 86_400));
        settle(&world, &tasks).await;
    }
    let open = tables::effects::count_open(world.engine().db()).await.unwrap();
    assert_eq!(open, 0, "everything is removed in the end\n{story}");
    world.engine().journals().prune_journals().await.unwrap();
    assert_eq!(person(&world), before, "the person's checkout is byte for byte as it was\n{story}");

    world.repository.git(&["reflog", "expire", "--expire=now", "--all"]).await;
    world.repository.git(&["gc", "--quiet", "--prune=now"]).await;
    let kept = world.repository.git(&["rev-list", "--objects", "--glob=refs/forge/journal"]).await;
    let kept: BTreeSet<&str> = kept.lines().filter_map(|line| line.split(' ').next()).collect();
    let written = written(&world, &home).await;
    assert!(written.len() >= count * TURNS, "too few turns: {}\n{story}", written.len());
    let lost: Vec<&String> = written
        .iter()
        .filter(|(id, _)| !kept.contains(id.as_str()))
        .map(|(_, what)| what)
        .collect();
    assert!(lost.is_empty(), "not in the journal: {lost:#?}\n{story}");
    assert!(world.repository.try_git(&["fsck", "--no-dangling"]).await.0);
}

/// Runs every second world from this one: two tests share the list, to use both cores.
#[expect(clippy::print_stdout, reason = "who runs the long list sees which seeds are through")]
async fn every_second(first: usize) {
    let wanted = wanted();
    for world in (first..wanted.div_ceil(TOGETHER)).step_by(2) {
        let count = TOGETHER.min(wanted - world * TOGETHER);
        lifecycles(u64::try_from(world).unwrap() + 1, count).await;
        println!("seed {} is through: {count} lifecycles", world + 1);
    }
}

/// The list of 200: `make soak`.
#[tokio::test]
async fn p_1_w_14_every_written_content_is_in_the_journal() {
    every_second(0).await;
}

/// The other half of the list.
#[tokio::test]
async fn p_1_w_14_nothing_is_lost_in_the_other_half_of_the_worlds() {
    every_second(1).await;
}
