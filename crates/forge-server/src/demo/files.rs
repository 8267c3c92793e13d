//! What the throw-away repository begins with: a small program in shell, and tests that really check it.

use forge_engine::FirstFile;

/// The branch it is on.
pub(super) const BRANCH: &str = "main";

/// The message of its first commit.
pub(super) const MESSAGE: &str = "Convert kilograms to grams\n";

/// What every task must pass.
pub(super) const CHECKS: [&str; 1] = ["sh tests/run.sh"];

macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        [$(FirstFile { path: $path, content: include_str!(concat!("repository/", $path)) }),+]
    };
}

pub(super) const FILES: [FirstFile; 6] = files![
    "README.md",
    "VERSION",
    "tests/cases/kg-to-g",
    "tests/run.sh",
    "units.d/kg-to-g.sh",
    "units.sh",
];
