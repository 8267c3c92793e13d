//! Workspaces compared with plain git in the same run: a claim over HTTP until its workspace is ready, and a removal.

use std::path::Path;
use std::time::Duration;

use forge_git::{
    BranchName, DirectoryName, GitProgram, LockHolder, LockWait, Repo, RepoLocks, WorkspaceLocks,
    WorkspaceRoot, WorktreeBranch,
};
use forge_proc::ProcessIdentity;
use forge_testkit::test_repository::{TestRepository, search_path};
use tempfile::TempDir;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::many_files::{commit_changes, generate};
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;
use crate::workspace_server::WorkspaceServer;

/// How often each is measured: small repositories take little time, so that one disk delay is a large part of it.
fn rounds(files: usize) -> usize {
    match files {
        0..1000 => 9,
        1000..50_000 => 5,
        _ => 3,
    }
}

/// How many times faster than git each operation has to be on a repository of this size.
struct SpeedTargets {
    warm: Option<f64>,
    moved: Option<f64>,
    removal: Option<f64>,
    empty: Option<f64>,
}

fn targets(files: usize) -> SpeedTargets {
    let (warm, moved, removal) = match files {
        500 => (Some(3.0), None, Some(5.0)),
        20_000 => (Some(100.0), Some(5.0), Some(100.0)),
        100_000 => (Some(500.0), Some(20.0), Some(500.0)),
        _ => (None, None, None),
    };
    // A plain parallel checkout is enough; small repositories take as long as with git.
    let empty = (files >= 20_000).then_some(1.25);
    SpeedTargets { warm, moved, removal, empty }
}

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    // Kept until the end: a file system creates new files slowly for minutes after it has deleted many.
    let mut places = Vec::new();
    for files in scope.files() {
        let place = bench_dir()?;
        measure(files, &place, report).await?;
        places.push(place);
    }
    Ok(())
}

async fn measure(
    files: usize,
    place: &TempDir,
    report: &mut BenchReport,
) -> Result<(), BenchError> {
    report.heading(&format!("Workspaces of {files} files, each beside plain git"));
    let repository = generate(&place.path().join("repo"), files).await?;
    let plain = PlainGit { repository: &repository, place: place.path() };
    let rounds = rounds(files);
    let (mut warm, mut moved, mut empty) =
        (DurationSample::default(), DurationSample::default(), DurationSample::default());
    // Measured separately, because disk and memory of a machine vary over time: each claim is compared with git calls
    // close in time.
    let (mut added, mut added_later) = (DurationSample::default(), DurationSample::default());
    let mut removed = DurationSample::default();
    let (mut removal, mut aside) = (DurationSample::default(), DurationSample::default());

    let mut board = WorkspaceServer::start(place.path(), &repository, 1).await?;
    // Connections, statements and caches are warm in a busy server.
    board.claim(0).await?;
    for round in 0..rounds {
        board.wait_for_full_pools().await?;
        added.add(plain.add(&format!("before-{round}")).await?);
        warm.add(board.claim(0).await?);
    }
    for round in 0..rounds {
        board.wait_for_full_pools().await?;
        commit_changes(&repository, files, round).await?;
        rustix::fs::sync();
        moved.add(board.claim(0).await?);
    }
    board.stop().await?;

    // As after a clone or a gc; both sides then read the same packs.
    repository.git(&["repack", "-a", "-d", "--quiet"]).await;
    let mut board = WorkspaceServer::start(place.path(), &repository, 0).await?;
    board.claim(0).await?;
    for round in 0..rounds {
        rustix::fs::sync();
        added_later.add(plain.add(&format!("after-{round}")).await?);
        rustix::fs::sync();
        empty.add(board.claim(0).await?);
    }
    for round in 0..rounds {
        let task = board.claimed.get(round).ok_or("every claim is remembered")?;
        removal.add(board.clean(task).await?);
    }
    board.stop().await?;
    for round in 0..rounds {
        removed.add(plain.remove(&format!("before-{round}")).await?);
        aside.add(stage_removal(&repository, place.path(), round).await?);
    }

    let targets = targets(files);
    let git = millis(added.median());
    report.add(ReportFigure::new("git worktree add -b", git, "ms"));
    compare(report, "claim, pool warm, target unmoved", millis(warm.median()), git, targets.warm);
    compare(
        report,
        "claim, target moved by 1,000 files",
        millis(moved.median()),
        git,
        targets.moved,
    );
    let git = millis(added_later.median());
    report.add(ReportFigure::new(
        "git worktree add -b, beside the claims without a pool",
        git,
        "ms",
    ));
    compare(report, "claim, empty pool", millis(empty.median()), git, targets.empty);
    let git = millis(removed.median());
    report.add(ReportFigure::new("git worktree remove --force", git, "ms"));
    compare(report, "removal, whole request", millis(removal.median()), git, targets.removal);
    compare(report, "removal, aside under the lock", millis(aside.median()), git, None);
    Ok(())
}

fn compare(report: &mut BenchReport, name: &str, ours: f64, git: f64, target: Option<f64>) {
    report.add(ReportFigure::new(name, ours, "ms"));
    let ratio = ReportFigure::new(format!("{name}, git ÷ ours"), git / ours, "x");
    report.add(ratio.target(target.map_or(FigureTarget::None, FigureTarget::AtLeast)));
}

struct PlainGit<'a> {
    repository: &'a TestRepository,
    place: &'a Path,
}

impl PlainGit<'_> {
    async fn add(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = BenchStopwatch::start();
        self.repository.git(&["worktree", "add", "--quiet", "-b", name, &path]).await;
        Ok(watch.elapsed())
    }

    async fn remove(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = BenchStopwatch::start();
        self.repository.git(&["worktree", "remove", "--force", &path]).await;
        Ok(watch.elapsed())
    }

    fn path(&self, name: &str) -> String {
        self.place.join("plain").join(name).display().to_string()
    }
}

/// The part of a removal that happens before the answer.
async fn stage_removal(
    repository: &TestRepository,
    place: &Path,
    round: usize,
) -> Result<Duration, BenchError> {
    let repo = Repo::open(&GitProgram::locate(&search_path())?, repository.path()).await?;
    let root = WorkspaceRoot::open(&place.join("removals")).await?;
    let (locks, workspaces) =
        (RepoLocks::new(place.join("locks")), WorkspaceLocks::new(place.join("locks")));
    let process = ProcessIdentity::of_self().ok_or("this process is not in the kernel's table")?;
    let holder = LockHolder { execution: "a bench".to_owned(), node: "here".to_owned(), process };
    let name = DirectoryName::new(format!("removal-{round}"))?;
    let hold = workspaces.acquire(&root, &name, holder, LockWait::Reject).await?;
    let base = repo.tip(&BranchName::new("main")?).await?.ok_or("main is there")?;
    let branch = WorktreeBranch::New { name: BranchName::new(format!("removal-{round}"))?, base };
    repo.add_worktree(&locks, &hold, &branch).await?;
    let watch = BenchStopwatch::start();
    locks.acquire(&repo).await?.remove_worktree(&hold).await?;
    let elapsed = watch.elapsed();
    root.empty_trash().await?;
    Ok(elapsed)
}
