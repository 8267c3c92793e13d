//! Workspaces against plain git in the same run: a claim over HTTP until its workspace is ready, and a removal.

use std::path::Path;
use std::time::Duration;

use forge_git::{
    BranchName, DirectoryName, Git, Holder, Patience, Repo, RepoLocks, WorkspaceLocks,
    WorkspaceRoot, WorktreeBranch,
};
use forge_proc::ProcessIdentity;
use forge_testkit::repository::{Repository, search_path};
use tempfile::TempDir;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::hosted::Hosted;
use crate::many_files::{generate, touch};
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

/// How often each is measured: small repositories take little time, of which one hiccup of the disk is a large part.
fn rounds(files: usize) -> usize {
    match files {
        0..1000 => 9,
        1000..50_000 => 5,
        _ => 3,
    }
}

/// How many times faster than git each has to be on a repository of so many files.
struct Targets {
    warm: Option<f64>,
    moved: Option<f64>,
    removal: Option<f64>,
}

const EMPTY: f64 = 2.0;

fn targets(files: usize) -> Targets {
    let (warm, moved, removal) = match files {
        500 => (Some(3.0), None, Some(5.0)),
        20_000 => (Some(100.0), Some(5.0), Some(100.0)),
        100_000 => (Some(500.0), Some(20.0), Some(500.0)),
        _ => (None, None, None),
    };
    Targets { warm, moved, removal }
}

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    // Kept to the end: a filesystem makes new files slowly for minutes after it has deleted many.
    let mut places = Vec::new();
    for files in scope.files() {
        let place = place()?;
        measure(files, &place, report).await?;
        places.push(place);
    }
    Ok(())
}

async fn measure(files: usize, place: &TempDir, report: &mut Report) -> Result<(), BenchError> {
    report.heading(&format!("Workspaces of {files} files, each beside plain git"));
    let repository = generate(&place.path().join("repo"), files).await?;
    let plain = Plain { repository: &repository, place: place.path() };
    let rounds = rounds(files);
    let (mut warm, mut moved, mut empty) =
        (Sample::default(), Sample::default(), Sample::default());
    // Apart, because disk and memory of a machine do not stay as they are: each claim is held against the git of its time.
    let (mut added, mut added_later) = (Sample::default(), Sample::default());
    let mut removed = Sample::default();
    let (mut removal, mut aside) = (Sample::default(), Sample::default());

    let mut board = Hosted::start(place.path(), &repository, 1).await?;
    // Connections, statements and caches are warm in a server that has work to do.
    board.claim(0).await?;
    for round in 0..rounds {
        board.full().await?;
        added.add(plain.add(&format!("before-{round}")).await?);
        warm.add(board.claim(0).await?);
    }
    for round in 0..rounds {
        board.full().await?;
        touch(&repository, files, round).await?;
        rustix::fs::sync();
        moved.add(board.claim(0).await?);
    }
    board.stop().await?;

    // As a clone or a gc leaves it; both sides then read the same packs.
    repository.git(&["repack", "-a", "-d", "--quiet"]).await;
    let mut board = Hosted::start(place.path(), &repository, 0).await?;
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
        aside.add(set_aside(&repository, place.path(), round).await?);
    }

    let targets = targets(files);
    let git = millis(added.median());
    report.add(Figure::new("git worktree add -b", git, "ms"));
    compare(report, "claim, pool warm, target unmoved", millis(warm.median()), git, targets.warm);
    compare(
        report,
        "claim, target moved by 1,000 files",
        millis(moved.median()),
        git,
        targets.moved,
    );
    let git = millis(added_later.median());
    report.add(Figure::new("git worktree add -b, beside the claims without a pool", git, "ms"));
    compare(report, "claim, empty pool", millis(empty.median()), git, Some(EMPTY));
    let git = millis(removed.median());
    report.add(Figure::new("git worktree remove --force", git, "ms"));
    compare(report, "removal, whole request", millis(removal.median()), git, targets.removal);
    compare(report, "removal, aside under the lock", millis(aside.median()), git, None);
    Ok(())
}

fn compare(report: &mut Report, name: &str, ours: f64, git: f64, target: Option<f64>) {
    report.add(Figure::new(name, ours, "ms"));
    let ratio = Figure::new(format!("{name}, git ÷ ours"), git / ours, "x");
    report.add(ratio.aim(target.map_or(Aim::None, Aim::AtLeast)));
}

struct Plain<'a> {
    repository: &'a Repository,
    place: &'a Path,
}

impl Plain<'_> {
    async fn add(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = Stopwatch::start();
        self.repository.git(&["worktree", "add", "--quiet", "-b", name, &path]).await;
        Ok(watch.elapsed())
    }

    async fn remove(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = Stopwatch::start();
        self.repository.git(&["worktree", "remove", "--force", &path]).await;
        Ok(watch.elapsed())
    }

    fn path(&self, name: &str) -> String {
        self.place.join("plain").join(name).display().to_string()
    }
}

/// What a removal does before it answers.
async fn set_aside(
    repository: &Repository,
    place: &Path,
    round: usize,
) -> Result<Duration, BenchError> {
    let repo = Repo::open(&Git::locate(&search_path())?, repository.path()).await?;
    let root = WorkspaceRoot::open(&place.join("removals")).await?;
    let (locks, workspaces) =
        (RepoLocks::new(place.join("locks")), WorkspaceLocks::new(place.join("locks")));
    let process = ProcessIdentity::of_self().ok_or("this process is not in the kernel's table")?;
    let holder = Holder { execution: "a bench".to_owned(), node: "here".to_owned(), process };
    let name = DirectoryName::new(format!("removal-{round}"))?;
    let hold = workspaces.hold(&root, &name, holder, Patience::Reject).await?;
    let base = repo.tip(&BranchName::new("main")?).await?.ok_or("main is there")?;
    let branch = WorktreeBranch::New { name: BranchName::new(format!("removal-{round}"))?, base };
    repo.add_worktree(&locks, &hold, &branch).await?;
    let watch = Stopwatch::start();
    locks.acquire(&repo).await?.remove_worktree(&hold).await?;
    let elapsed = watch.elapsed();
    root.empty_trash().await?;
    Ok(elapsed)
}
