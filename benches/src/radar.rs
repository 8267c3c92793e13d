//! The conflict radar (M-14): every pair of many branches, beside a process of git for each pair in the same run.

use std::fmt::Write as _;
use std::path::Path;

use forge_git::{Effort, Git, MeetingMemory, ObjectId, Repo, Side};
use forge_proc::{CaptureLimits, Invocation, Stdin, capture};
use forge_testkit::repository::{Repository, search_path};

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::many_files;
use crate::place::place;
use crate::report::Report;
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const BRANCHES: usize = 50;
/// Files that each branch changes.
const CHANGED: usize = 8;
const LEAST_RATIO: f64 = 4.0;

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    let files = scope.files_looked_at;
    report.heading(&format!("Conflict radar: {BRANCHES} branches of {files} files"));
    let place = place()?;
    let repository = many_files::generate(&place.path().join("repository"), files).await?;
    let mut sides = Vec::new();
    let base = repository.git(&["rev-parse", "main"]).await;
    import(&repository, &stream(base.trim(), files)).await?;
    for number in 0..BRANCHES {
        sides.push(side(&repository, &format!("task{number}")).await?);
    }
    let pairs: Vec<(usize, usize)> =
        (0..BRANCHES).flat_map(|one| (one + 1..BRANCHES).map(move |other| (one, other))).collect();
    let repo = Repo::open(&Git::locate(&search_path())?, repository.path()).await?;

    // First the one that writes nothing to the repository; the other finds all of its own objects new.
    let mut memory = MeetingMemory::new(100_000);
    let watch = Stopwatch::start();
    let matrix = repo.look_at_pairs(&sides, &pairs, &mut memory).await?;
    let ours = watch.elapsed();
    let watch = Stopwatch::start();
    let mut clashes = 0;
    for (one, other) in &pairs {
        let (Some(one), Some(other)) = (sides.get(*one), sides.get(*other)) else { continue };
        clashes += usize::from(merge_alone(repository.path(), one, other).await?);
    }
    let alone = watch.elapsed();
    let found = matrix.meetings.iter().flatten().filter(|meeting| meeting.is_clash()).count();
    if found != clashes {
        return Err(format!("{found} pairs clash, and {clashes} for git").into());
    }
    report.add(Figure::new("whole matrix", ours.as_secs_f64() * 1000.0, "ms"));
    report.add(Figure::new("  of its pairs merged", count(matrix.effort.merged), ""));
    report.add(Figure::new("  of its pairs that clash", count(found), ""));
    report.add(Figure::new("a process for each pair", alone.as_secs_f64() * 1000.0, "ms"));
    let ratio = alone.as_secs_f64() / ours.as_secs_f64();
    report.add(Figure::new("times faster", ratio, "x").aim(Aim::AtLeast(LEAST_RATIO)));

    moved(&repository, &repo, &mut sides, &mut memory, report).await?;
    let watch = Stopwatch::start();
    let nothing = repo.look_at_pairs(&sides, &[], &mut memory).await?;
    let idle = watch.elapsed();
    if nothing.effort != Effort::default() {
        return Err("an unmoved repository was looked at".into());
    }
    let idle = idle.as_secs_f64() * 1000.0;
    report.add(Figure::new("nothing moved", idle, "ms").aim(Aim::AtMost(1.0)));
    Ok(())
}

/// One head moves: its own pairs are asked for, and no other.
async fn moved(
    repository: &Repository,
    repo: &Repo,
    sides: &mut [Side],
    memory: &mut MeetingMemory,
    report: &mut Report,
) -> Result<(), BenchError> {
    let onto_its_tip = "from refs/heads/task0^0\n";
    import(repository, &commit(0, "refs/heads/task0", onto_its_tip, 10_000)).await?;
    if let Some(first) = sides.first_mut() {
        *first = side(repository, "task0").await?;
    }
    let own: Vec<(usize, usize)> = (1..BRANCHES).map(|other| (0, other)).collect();
    let watch = Stopwatch::start();
    let sighting = repo.look_at_pairs(sides, &own, memory).await?;
    let took = watch.elapsed().as_secs_f64() * 1000.0;
    report.add(Figure::new("one head moved", took, "ms"));
    let most = count(BRANCHES - 1);
    let looked_at = count(sighting.effort.merged + sighting.effort.apart);
    report.add(Figure::new("  pairs it looked at", looked_at, "").aim(Aim::AtMost(most)));
    Ok(())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

async fn side(repository: &Repository, branch: &str) -> Result<Side, BenchError> {
    let head = ObjectId::new(repository.git(&["rev-parse", branch]).await.trim())?;
    let tree = repository.git(&["rev-parse", &format!("{branch}^{{tree}}")]).await;
    Ok(Side { content: head.clone(), head, tree: ObjectId::new(tree.trim())? })
}

/// Branches that change files all over the tree; each fifth has one file in common with others.
fn stream(base: &str, files: usize) -> String {
    let mut text = String::new();
    for number in 0..BRANCHES {
        let _ = write!(text, "reset refs/heads/task{number}\nfrom {base}\n\n");
        let shared = if number % 5 == 0 { 0 } else { 1 + number };
        text.push_str(&commit(shared, &format!("refs/heads/task{number}"), "", number));
        for change in 1..CHANGED {
            let file = (number * 397 + change * 2503) % files;
            text.push_str(&commit(file, &format!("refs/heads/task{number}"), "", number));
        }
    }
    text
}

/// A commit; `from` says on what, where the stream itself has not said it before.
fn commit(file: usize, branch: &str, from: &str, by: usize) -> String {
    let path = format!("part{}/dir{}/file{file}.rs", file / 50 / 20, file / 50);
    let content = format!("changed by {by}\n");
    format!(
        "commit {branch}\ncommitter P <p@example.org> 1700000000 +0000\ndata 2\nx\n{from}\
         M 100644 inline {path}\ndata {}\n{content}\n",
        content.len()
    )
}

async fn import(repository: &Repository, stream: &str) -> Result<(), BenchError> {
    let call = git(repository.path()).args(["fast-import", "--quiet"]);
    let done = capture(call.stdin(Stdin::Bytes(stream.into())), LIMITS).await?;
    match done.exit.is_success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned().into()),
    }
}

/// What everybody would do: whether git, asked about one pair, says that it clashes.
async fn merge_alone(path: &Path, one: &Side, other: &Side) -> Result<bool, BenchError> {
    let call = git(path)
        .args(["merge-tree", "--write-tree", "--name-only", "--no-messages"])
        .args([one.head.as_str(), other.head.as_str()]);
    Ok(!capture(call, LIMITS).await?.exit.is_success())
}

const LIMITS: CaptureLimits = CaptureLimits {
    stdout: 1024 * 1024,
    stderr: 1024 * 1024,
    deadline: std::time::Duration::from_secs(300),
};

fn git(path: &Path) -> Invocation {
    Invocation::new("git", path).env("PATH", search_path()).env("HOME", "/nonexistent")
}
