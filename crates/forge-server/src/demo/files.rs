//! The initial files of the temporary repository: a small shell program and real tests for it.

use forge_engine::InitialFile;

/// The branch of the repository.
pub(crate) const BRANCH: &str = "main";

/// The message of its first commit.
pub(crate) const MESSAGE: &str = "Convert kilograms to grams\n";

/// The checks of every task.
pub(crate) const CHECKS: [&str; 1] = ["sh tests/run.sh"];

macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        [$(InitialFile { path: $path, content: include_str!(concat!("repository/", $path)) }),+]
    };
}

pub(crate) const FILES: [InitialFile; 6] = files![
    "README.md",
    "VERSION",
    "tests/cases/kg-to-g",
    "tests/run.sh",
    "units.d/kg-to-g.sh",
    "units.sh",
];
