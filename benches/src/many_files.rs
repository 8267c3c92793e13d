//! Repositories with many files.

use std::path::Path;

use forge_testkit::test_repository::TestRepository;

use crate::bench_error::BenchError;

const PER_DIRECTORY: usize = 50;
/// How many files a user's commit changes.
const MOVED: usize = 1000;
/// File sizes, all equally frequent: close to the deciles of this project's own files (mean 4.2 KB, median 2.8 KB).
/// The sources of its dependencies are larger (mean 14.6 KB, median 3.2 KB).
const SIZES: [usize; 10] = [250, 700, 1300, 2100, 2800, 3500, 4700, 6000, 8000, 12_000];

pub(crate) async fn generate(path: &Path, files: usize) -> Result<TestRepository, BenchError> {
    let repository = TestRepository::create(path).await;
    for number in 0..files {
        write(path, number, 0)?;
    }
    repository.commit("many files").await;
    repository.git(&["repack", "-a", "-d", "--quiet"]).await;
    Ok(repository)
}

/// Writes text of a realistic size that does not compress to nothing.
fn write(path: &Path, number: usize, round: usize) -> std::io::Result<()> {
    let directory = path
        .join(format!("part{}", number / PER_DIRECTORY / 20))
        .join(format!("dir{}", number / PER_DIRECTORY));
    std::fs::create_dir_all(&directory)?;
    let mut seed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ round as u64;
    let mut text = format!("file {number} as of {round}\n");
    let size = SIZES.get(number % SIZES.len()).copied().unwrap_or_default();
    while text.len() < size {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        text.push_str(&format!("    let value_{seed:x} = compute({});\n", seed % 1000));
    }
    std::fs::write(directory.join(format!("file{number}.rs")), text)
}

/// A user's commit that changes [`MOVED`] files, or all where there are fewer.
pub(crate) async fn commit_changes(
    repository: &TestRepository,
    files: usize,
    round: usize,
) -> Result<(), BenchError> {
    let step = (files / MOVED).max(1);
    for number in (0..files).step_by(step).take(MOVED) {
        write(repository.path(), number, round + 1)?;
    }
    repository.commit(&format!("move {round}")).await;
    Ok(())
}
