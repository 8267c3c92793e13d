//! The conflict radar (M-14): every pair of many branches, compared with one git process per pair in the same run.

use std::fmt::Write as _;
use std::path::Path;

use forge_git::{GitProgram, MergeSide, ObjectId, PairCheckStats, PairResultCache, Repo};
use forge_proc::{CaptureLimits, ProgramInvocation, StdinSource, capture};
use forge_testkit::test_repository::{TestRepository, search_path};

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::many_files;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const BRANCHES: usize = 50;
/// Files that each branch changes.
const CHANGED: usize = 8;
const LEAST_RATIO: f64 = 4.0;

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    let files = scope.files_looked_at;
    report.heading(&format!("Conflict radar: {BRANCHES} branches of {files} files"));
    let place = bench_dir()?;
    let repository = many_files::generate(&place.path().join("repository"), files).await?;
    let mut sides = Vec::new();
    let base = repository.git(&["rev-parse", "main"]).await;
    import(&repository, &branch_stream(base.trim(), files)).await?;
    for number in 0..BRANCHES {
        sides.push(side(&repository, &format!("task{number}")).await?);
    }
    let pairs: Vec<(usize, usize)> =
        (0..BRANCHES).flat_map(|one| (one + 1..BRANCHES).map(move |other| (one, other))).collect();
    let repo = Repo::open(&GitProgram::locate(&search_path())?, repository.path()).await?;

    // The variant that writes nothing to the repository runs first; all objects of the other are then new.
    let mut memory = PairResultCache::new(100_000);
    let watch = BenchStopwatch::start();
    let matrix = repo.check_pairs(&sides, &pairs, &mut memory).await?;
    let ours = watch.elapsed();
    let watch = BenchStopwatch::start();
    let mut clashes = 0;
    for (one, other) in &pairs {
        let (Some(one), Some(other)) = (sides.get(*one), sides.get(*other)) else { continue };
        clashes += usize::from(merge_pair(repository.path(), one, other).await?);
    }
    let alone = watch.elapsed();
    let found = matrix.results.iter().flatten().filter(|meeting| meeting.has_conflict()).count();
    if found != clashes {
        return Err(format!("the radar found {found} conflicts, git found {clashes}").into());
    }
    report.add(ReportFigure::new("whole matrix", ours.as_secs_f64() * 1000.0, "ms"));
    report.add(ReportFigure::new("  of its pairs merged", count(matrix.stats.merged), ""));
    report.add(ReportFigure::new("  of its pairs that clash", count(found), ""));
    report.add(ReportFigure::new("a process for each pair", alone.as_secs_f64() * 1000.0, "ms"));
    let ratio = alone.as_secs_f64() / ours.as_secs_f64();
    report.add(
        ReportFigure::new("times faster", ratio, "x").target(FigureTarget::AtLeast(LEAST_RATIO)),
    );

    measure_moved_head(&repository, &repo, &mut sides, &mut memory, report).await?;
    let watch = BenchStopwatch::start();
    let nothing = repo.check_pairs(&sides, &[], &mut memory).await?;
    let idle = watch.elapsed();
    if nothing.stats != PairCheckStats::default() {
        return Err("an unchanged repository was checked again".into());
    }
    let idle = idle.as_secs_f64() * 1000.0;
    report.add(ReportFigure::new("nothing moved", idle, "ms").target(FigureTarget::AtMost(1.0)));
    Ok(())
}

/// One head moves: only its own pairs are checked.
async fn measure_moved_head(
    repository: &TestRepository,
    repo: &Repo,
    sides: &mut [MergeSide],
    memory: &mut PairResultCache,
    report: &mut BenchReport,
) -> Result<(), BenchError> {
    let onto_its_tip = "from refs/heads/task0^0\n";
    import(repository, &commit(0, "refs/heads/task0", onto_its_tip, 10_000)).await?;
    if let Some(first) = sides.first_mut() {
        *first = side(repository, "task0").await?;
    }
    let own: Vec<(usize, usize)> = (1..BRANCHES).map(|other| (0, other)).collect();
    let watch = BenchStopwatch::start();
    let sighting = repo.check_pairs(sides, &own, memory).await?;
    let took = watch.elapsed().as_secs_f64() * 1000.0;
    report.add(ReportFigure::new("one head moved", took, "ms"));
    let most = count(BRANCHES - 1);
    let looked_at = count(sighting.stats.merged + sighting.stats.disjoint);
    report.add(
        ReportFigure::new("  pairs it looked at", looked_at, "").target(FigureTarget::AtMost(most)),
    );
    Ok(())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

async fn side(repository: &TestRepository, branch: &str) -> Result<MergeSide, BenchError> {
    let head = ObjectId::new(repository.git(&["rev-parse", branch]).await.trim())?;
    let tree = repository.git(&["rev-parse", &format!("{branch}^{{tree}}")]).await;
    let fork = repository.git(&["merge-base", "main", branch]).await;
    let fork = Some(ObjectId::new(fork.trim())?);
    Ok(MergeSide { content: head.clone(), head, tree: ObjectId::new(tree.trim())?, fork })
}

/// Branches that change files all over the tree; each fifth shares one file with others.
fn branch_stream(base: &str, files: usize) -> String {
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

/// A commit; `from` names its parent, where the stream has not named it before.
fn commit(file: usize, branch: &str, from: &str, by: usize) -> String {
    let path = format!("part{}/dir{}/file{file}.rs", file / 50 / 20, file / 50);
    let content = format!("changed by {by}\n");
    format!(
        "commit {branch}\ncommitter P <p@example.org> 1700000000 +0000\ndata 2\nx\n{from}\
         M 100644 inline {path}\ndata {}\n{content}\n",
        content.len()
    )
}

async fn import(repository: &TestRepository, stream: &str) -> Result<(), BenchError> {
    let call = git(repository.path()).args(["fast-import", "--quiet"]);
    let done = capture(call.stdin(StdinSource::Bytes(stream.into())), LIMITS).await?;
    match done.exit.is_success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned().into()),
    }
}

/// The plain approach: whether git, asked about one pair, reports a conflict.
async fn merge_pair(path: &Path, one: &MergeSide, other: &MergeSide) -> Result<bool, BenchError> {
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

fn git(path: &Path) -> ProgramInvocation {
    ProgramInvocation::new("git", path).env("PATH", search_path()).env("HOME", "/nonexistent")
}
