//! A named pipe that synchronises a test and a script: each waits for the other without sleeping.

use std::path::{Path, PathBuf};

use nix::sys::stat::Mode;

#[derive(Debug)]
pub(crate) struct ScriptBarrier(PathBuf);

impl ScriptBarrier {
    /// Creates the pipes in this directory.
    pub(crate) fn at(directory: &Path, name: &str) -> Self {
        let path = directory.join(name);
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a named pipe");
        Self(path)
    }

    /// Shell command that signals the test.
    pub(crate) fn announce(&self) -> String {
        format!("echo here > '{}'", self.0.display())
    }

    /// Shell command that waits for the test.
    pub(crate) fn wait(&self) -> String {
        format!("read word < '{}'", self.0.display())
    }

    /// Waits for the signal of the script.
    pub(crate) async fn announced(&self) {
        let said = tokio::fs::read_to_string(&self.0).await.expect("the pipe");
        assert_eq!(said, "here\n");
    }

    /// Lets the script continue.
    pub(crate) async fn go_on(&self) {
        tokio::fs::write(&self.0, "go on\n").await.expect("the pipe");
    }
}
