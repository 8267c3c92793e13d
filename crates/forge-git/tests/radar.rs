//! The conflict radar's test merges, compared with `git merge` in scratch clones (M-14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(clippy::indexing_slicing)]

mod support;

use forge_git::{MergeSide, PairCheckStats, PairResult, PairResultCache, Repo};
use std::path::{Path, PathBuf};
use support::branches::{Branches, Clone, Dice, Merged};
use support::{git_in, locate, tripwire, write};

struct Field {
    directory: tempfile::TempDir,
    repo: Repo,
    sides: Vec<MergeSide>,
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
        memory: &mut PairResultCache,
    ) -> (Vec<PairResult>, PairCheckStats) {
        let sighting =
            self.repo.check_pairs(&self.sides, pairs, memory).await.expect("is looked at");
        let meetings = sighting.results.into_iter().map(|meeting| meeting.expect("an answer"));
        (meetings.collect(), sighting.stats)
    }

    /// Compares every pair with git, in separate clones on two threads.
    async fn agree(&self, seed: u64) -> (usize, PairCheckStats) {
        let pairs = self.pairs();
        let (meetings, effort) = self.look(&pairs, &mut PairResultCache::new(10_000)).await;
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
        (meetings.iter().filter(|meeting| meeting.has_conflict()).count(), effort)
    }
}

#[tokio::test]
async fn m_14_fifty_branches_agree_pair_by_pair_with_git_merge() {
    let field = Field::new(7, 50, &[]).await;
    let (clashes, effort) = field.agree(7).await;
    assert_eq!(effort.requested, 50 * 49 / 2);
    assert!(clashes > 100 && effort.disjoint > 100, "{clashes} clashes, {effort:?}");
}

#[tokio::test]
async fn m_14_random_histories_agree_with_git_merge() {
    let (mut clashes, mut apart) = (0, 0);
    for seed in 100..108 {
        let (found, effort) = Field::new(seed, 10, &[]).await.agree(seed).await;
        clashes += found;
        apart += effort.disjoint;
    }
    assert!(clashes > 30 && apart > 30, "{clashes} {apart}");
}

#[tokio::test]
async fn m_14_sha_256_repositories_are_checked_too() {
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
        .check_pairs(&sides, &[(0, 1), (0, 2)], &mut PairResultCache::new(10))
        .await
        .expect("is looked at");
    let clash = PairResult::Conflict { files: vec!["a.txt".to_owned()] };
    assert_eq!(found.results, [Some(clash), Some(PairResult::Clean)]);
}

fn commit(place: &Path, file: &str, content: &str) -> MergeSide {
    write(&place.join(file), content);
    git_in(place, &["add", "-A"]);
    git_in(place, &["commit", "-q", "-m", file]);
    let id = |name: &str| {
        forge_git::ObjectId::new(git_in(place, &["rev-parse", name]).trim()).expect("an id")
    };
    MergeSide { head: id("HEAD"), content: id("HEAD"), tree: id("HEAD^{tree}"), fork: None }
}

/// The cache never changes a result, whatever was asked before, in any order, and however many results were dropped
/// since.
#[tokio::test]
async fn m_14_the_cache_changes_no_result() {
    for seed in 40..44 {
        let field = Field::new(seed, 9, &[]).await;
        let (all, _) = field.look(&field.pairs(), &mut PairResultCache::new(10_000)).await;
        let mut dice = Dice::new(seed);
        for most in [0, 5, 1000] {
            let mut memory = PairResultCache::new(most);
            for _ in 0..6 {
                let asked: Vec<usize> = (0..8).map(|_| dice.roll(all.len())).collect();
                let pairs: Vec<(usize, usize)> = asked
                    .iter()
                    .map(|place| field.pairs()[*place])
                    .map(|(one, other)| if dice.roll(2) == 0 { (one, other) } else { (other, one) })
                    .collect();
                let (found, _) = field.look(&pairs, &mut memory).await;
                let expected: Vec<PairResult> =
                    asked.iter().map(|place| all[*place].clone()).collect();
                assert_eq!(found, expected, "seed {seed}, memory of {most}, {pairs:?}");
                assert!(memory.len() <= most, "{}", memory.len());
            }
        }
    }
}

#[tokio::test]
async fn m_14_a_moved_head_costs_only_its_own_pairs_and_no_pair_costs_nothing() {
    let mut field = Field::new(3, 20, &[]).await;
    let mut memory = PairResultCache::new(10_000);
    let (before, _) = field.look(&field.pairs(), &mut memory).await;
    let (again, effort) = field.look(&field.pairs(), &mut memory).await;
    assert_eq!(again, before);
    assert_eq!(effort.merged, 0, "all of it is known");
    git_in(&field.place(), &["checkout", "-q", "-f", "--detach", &field.plain[4]]);
    field.sides[4] = commit(&field.place(), "quite-new.txt", "new\n");
    let (_, effort) = field.look(&field.pairs(), &mut memory).await;
    assert!(effort.merged <= 19, "{effort:?}");
    assert_eq!(effort.cached + effort.disjoint + effort.merged, 190);
    // Without a pair no git process starts: the repository is moved away, so git would fail.
    std::fs::rename(field.place(), field.place().with_file_name("gone")).expect("moves");
    let nothing = field.repo.check_pairs(&field.sides, &[], &mut memory).await;
    assert_eq!(nothing.expect("nothing to ask").stats, PairCheckStats::default());
}

#[tokio::test]
async fn m_14_a_check_leaves_nothing_and_runs_no_program_of_the_repository() {
    let field = Field::new(5, 12, &[]).await;
    let wire = tripwire(field.directory.path(), "driver");
    let driver = format!("{} %O %A %B", wire.display());
    git_in(&field.place(), &["config", "merge.trap.driver", &driver]);
    git_in(&field.place(), &["config", "merge.default", "trap"]);
    write(&field.place().join(".git/info/attributes"), "* merge=trap\n");
    let objects = git_in(&field.place(), &["count-objects", "-v"]);
    let (meetings, effort) = field.look(&field.pairs(), &mut PairResultCache::new(0)).await;
    assert!(effort.merged > 0 && meetings.iter().any(PairResult::has_conflict));
    assert_eq!(git_in(&field.place(), &["count-objects", "-v"]), objects);
    assert!(!wire.with_file_name("driver.ran").exists());
    let own = format!("forge-radar-{}-", std::process::id());
    let left = std::fs::read_dir(std::env::temp_dir()).expect("reads").flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(&own)).count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn m_14_branches_without_a_common_commit_are_compared_too() {
    let field = Field::new(11, 3, &[]).await;
    let place = field.place();
    git_in(&place, &["checkout", "-q", "--orphan", "elsewhere"]);
    let alone = commit(&place, "src/f0.txt", "something else\n");
    let mut sides = field.sides.clone();
    sides.push(alone);
    let pairs = [(0, 1), (0, 3), (1, 3)];
    let found = field.repo.check_pairs(&sides, &pairs, &mut PairResultCache::new(10)).await;
    let found = found.expect("is looked at").results;
    let clone = Clone::of(&place, &place.with_file_name("clone"));
    for ((one, other), meeting) in pairs.iter().zip(found) {
        let expected = clone.merge(sides[*one].content.as_str(), sides[*other].content.as_str());
        let meeting = meeting.expect("an answer");
        assert!(expected.is_same(&meeting), "{one} {other}: {meeting:?}, git: {expected:?}");
    }
}

/// An old branch that conflicts with its target, and younger branches that contain what the target got meanwhile.
#[tokio::test]
async fn issue_13_17_a_pair_conflicts_only_in_files_that_both_changed_since_their_fork() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().canonicalize().expect("is there").join("repository");
    std::fs::create_dir(&place).expect("made");
    git_in(&place, &["init", "-q", "-b", "main"]);
    commit(&place, "f.txt", "one\n");
    commit(&place, "h.txt", "one\n");
    git_in(&place, &["checkout", "-q", "-b", "old"]);
    commit(&place, "h.txt", "old\n");
    let mut old = commit(&place, "f.txt", "old\n");
    git_in(&place, &["checkout", "-q", "main"]);
    let target = commit(&place, "f.txt", "target\n");
    let mut sides = Vec::new();
    for (name, files) in [("apart", &["g.txt"][..]), ("h", &["h.txt"]), ("f", &["f.txt", "g.txt"])]
    {
        git_in(&place, &["checkout", "-q", "-b", name, "main"]);
        let made: Vec<MergeSide> = files.iter().map(|file| commit(&place, file, name)).collect();
        sides.extend(made.last().cloned());
    }
    let repo = Repo::open(&locate(), &place).await.expect("opens");
    let heads: Vec<_> = std::iter::once(&old)
        .chain(&sides)
        .map(|side| (side.head.clone(), target.head.clone()))
        .collect();
    let forks = repo.load_forks(&heads).await.expect("reads");
    assert_eq!(forks[1], Some(target.head.clone()));
    old.fork = forks[0].clone();
    assert!(old.fork.is_some() && forks[0] != forks[1]);
    for (side, fork) in sides.iter_mut().zip(&forks[1..]) {
        side.fork = fork.clone();
    }
    sides.extend([old, target]);
    let pairs = [(0, 3), (1, 3), (2, 3), (3, 4), (0, 4), (1, 2)];
    let clash = |file: &str| Some(PairResult::Conflict { files: vec![file.to_owned()] });
    let clean = Some(PairResult::Clean);
    let mut memory = PairResultCache::new(10);
    for _ in 0..2 {
        let found = repo.check_pairs(&sides, &pairs, &mut memory).await.expect("is looked at");
        let expected = [
            clean.clone(),
            clash("h.txt"),
            clash("f.txt"),
            clash("f.txt"),
            clean.clone(),
            clean.clone(),
        ];
        assert_eq!(found.results, expected);
    }
}
