//! The conflict radar's test merges against `git merge` in scratch clones (M-14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(clippy::indexing_slicing)]

mod support;

use forge_git::{Effort, Meeting, MeetingMemory, Repo, Side};
use std::path::{Path, PathBuf};
use support::branches::{Branches, Clone, Dice, Merged};
use support::{git_in, locate, tripwire, write};

struct Field {
    directory: tempfile::TempDir,
    repo: Repo,
    sides: Vec<Side>,
    plain: Vec<String>,
}

impl Field {
    async fn new(seed: u64, count: usize, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().canonicalize().expect("is there").join("repository");
        let (sides, plain) = Branches::new(seed, count).write(&place, options);
        let repo = Repo::open(&locate(), &place).await.expect("opens");
        Self { directory, repo, sides, plain }
    }

    fn place(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("is there").join("repository")
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.sides.len();
        (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect()
    }

    async fn look(
        &self,
        pairs: &[(usize, usize)],
        memory: &mut MeetingMemory,
    ) -> (Vec<Meeting>, Effort) {
        let sighting =
            self.repo.look_at_pairs(&self.sides, pairs, memory).await.expect("is looked at");
        let meetings = sighting.meetings.into_iter().map(|meeting| meeting.expect("an answer"));
        (meetings.collect(), sighting.effort)
    }

    /// Compares every pair with git, in clones of its own on two threads.
    async fn agree(&self, seed: u64) -> (usize, Effort) {
        let pairs = self.pairs();
        let (meetings, effort) = self.look(&pairs, &mut MeetingMemory::new(10_000)).await;
        let home = self.place();
        let chunks: Vec<_> = pairs.chunks(pairs.len().div_ceil(2)).collect();
        let expected: Vec<Merged> = std::thread::scope(|scope| {
            let work: Vec<_> = chunks
                .iter()
                .enumerate()
                .map(|(number, pairs)| {
                    let clone = home.with_file_name(format!("clone-{number}"));
                    let home = &home;
                    scope.spawn(move || {
                        let clone = Clone::of(home, &clone);
                        let merge = |(one, other): &(usize, usize)| {
                            clone.merge(&self.plain[*one], &self.plain[*other])
                        };
                        pairs.iter().map(merge).collect::<Vec<_>>()
                    })
                })
                .collect();
            work.into_iter().flat_map(|work| work.join().expect("merges")).collect()
        });
        for ((pair, meeting), expected) in pairs.iter().zip(&meetings).zip(&expected) {
            let same = expected.is_same(meeting);
            assert!(same, "seed {seed}, branches {pair:?}: {meeting:?}, git: {expected:?}");
        }
        (meetings.iter().filter(|meeting| meeting.is_clash()).count(), effort)
    }
}

#[tokio::test]
async fn m_14_fifty_branches_agree_pair_by_pair_with_git_merge() {
    let field = Field::new(7, 50, &[]).await;
    let (clashes, effort) = field.agree(7).await;
    assert_eq!(effort.asked, 50 * 49 / 2);
    assert!(clashes > 100 && effort.apart > 100, "{clashes} clashes, {effort:?}");
}

#[tokio::test]
async fn m_14_random_histories_agree_with_git_merge() {
    let (mut clashes, mut apart) = (0, 0);
    for seed in 100..108 {
        let (found, effort) = Field::new(seed, 10, &[]).await.agree(seed).await;
        clashes += found;
        apart += effort.apart;
    }
    assert!(clashes > 30 && apart > 30, "{clashes} {apart}");
}

#[tokio::test]
async fn m_14_long_ids_are_no_different() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().canonicalize().expect("is there").join("repository");
    std::fs::create_dir(&place).expect("made");
    git_in(&place, &["init", "-q", "-b", "main", "--object-format=sha256"]);
    let mut sides = Vec::new();
    commit(&place, "a.txt", "one\n");
    for (name, file) in [("x", "a.txt"), ("y", "a.txt"), ("z", "b.txt")] {
        git_in(&place, &["checkout", "-q", "-b", name, "main"]);
        sides.push(commit(&place, file, name));
    }
    let repo = Repo::open(&locate(), &place).await.expect("opens");
    let found = repo
        .look_at_pairs(&sides, &[(0, 1), (0, 2)], &mut MeetingMemory::new(10))
        .await
        .expect("is looked at");
    let clash = Meeting::Clash { files: vec!["a.txt".to_owned()] };
    assert_eq!(found.meetings, [Some(clash), Some(Meeting::Clean)]);
}

fn commit(place: &Path, file: &str, content: &str) -> Side {
    write(&place.join(file), content);
    git_in(place, &["add", "-A"]);
    git_in(place, &["commit", "-q", "-m", file]);
    let id = |name: &str| {
        forge_git::ObjectId::new(git_in(place, &["rev-parse", name]).trim()).expect("an id")
    };
    Side { head: id("HEAD"), content: id("HEAD"), tree: id("HEAD^{tree}") }
}

/// What is remembered is what would be found: whatever was asked before, in whatever order, and however much of it was
/// forgotten since.
#[tokio::test]
async fn m_14_the_memory_changes_no_answer() {
    for seed in 40..44 {
        let field = Field::new(seed, 9, &[]).await;
        let (all, _) = field.look(&field.pairs(), &mut MeetingMemory::new(10_000)).await;
        let mut dice = Dice::new(seed);
        for most in [0, 5, 1000] {
            let mut memory = MeetingMemory::new(most);
            for _ in 0..6 {
                let asked: Vec<usize> = (0..8).map(|_| dice.roll(all.len())).collect();
                let pairs: Vec<(usize, usize)> = asked
                    .iter()
                    .map(|place| field.pairs()[*place])
                    .map(|(one, other)| if dice.roll(2) == 0 { (one, other) } else { (other, one) })
                    .collect();
                let (found, _) = field.look(&pairs, &mut memory).await;
                let expected: Vec<Meeting> =
                    asked.iter().map(|place| all[*place].clone()).collect();
                assert_eq!(found, expected, "seed {seed}, memory of {most}, {pairs:?}");
                assert!(memory.len() <= most, "{}", memory.len());
            }
        }
    }
}

#[tokio::test]
async fn m_14_a_moved_head_costs_its_own_pairs_and_nothing_costs_nothing() {
    let mut field = Field::new(3, 20, &[]).await;
    let mut memory = MeetingMemory::new(10_000);
    let (before, _) = field.look(&field.pairs(), &mut memory).await;
    let (again, effort) = field.look(&field.pairs(), &mut memory).await;
    assert_eq!(again, before);
    assert_eq!(effort.merged, 0, "all of it is known");
    git_in(&field.place(), &["checkout", "-q", "-f", "--detach", &field.plain[4]]);
    field.sides[4] = commit(&field.place(), "quite-new.txt", "new\n");
    let (_, effort) = field.look(&field.pairs(), &mut memory).await;
    assert!(effort.merged <= 19, "{effort:?}");
    assert_eq!(effort.remembered + effort.apart + effort.merged, 190);
    // Without a pair no git is started: there is none that could answer.
    std::fs::rename(field.place(), field.place().with_file_name("gone")).expect("moves");
    let nothing = field.repo.look_at_pairs(&field.sides, &[], &mut memory).await;
    assert_eq!(nothing.expect("nothing to ask").effort, Effort::default());
}

#[tokio::test]
async fn m_14_looking_leaves_nothing_behind_and_runs_no_program_of_the_repository() {
    let field = Field::new(5, 12, &[]).await;
    let wire = tripwire(field.directory.path(), "driver");
    let driver = format!("{} %O %A %B", wire.display());
    git_in(&field.place(), &["config", "merge.trap.driver", &driver]);
    git_in(&field.place(), &["config", "merge.default", "trap"]);
    write(&field.place().join(".git/info/attributes"), "* merge=trap\n");
    let objects = git_in(&field.place(), &["count-objects", "-v"]);
    let (meetings, effort) = field.look(&field.pairs(), &mut MeetingMemory::new(0)).await;
    assert!(effort.merged > 0 && meetings.iter().any(Meeting::is_clash));
    assert_eq!(git_in(&field.place(), &["count-objects", "-v"]), objects);
    assert!(!wire.with_file_name("driver.ran").exists());
    let own = format!("forge-radar-{}-", std::process::id());
    let left = std::fs::read_dir(std::env::temp_dir()).expect("reads").flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(&own)).count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn m_14_branches_without_a_common_commit_are_compared_all_the_same() {
    let field = Field::new(11, 3, &[]).await;
    let place = field.place();
    git_in(&place, &["checkout", "-q", "--orphan", "elsewhere"]);
    let alone = commit(&place, "src/f0.txt", "something else\n");
    let mut sides = field.sides.clone();
    sides.push(alone);
    let pairs = [(0, 1), (0, 3), (1, 3)];
    let found = field.repo.look_at_pairs(&sides, &pairs, &mut MeetingMemory::new(10)).await;
    let found = found.expect("is looked at").meetings;
    let clone = Clone::of(&place, &place.with_file_name("clone"));
    for ((one, other), meeting) in pairs.iter().zip(found) {
        let expected = clone.merge(sides[*one].content.as_str(), sides[*other].content.as_str());
        let meeting = meeting.expect("an answer");
        assert!(expected.is_same(&meeting), "{one} {other}: {meeting:?}, git: {expected:?}");
    }
}
