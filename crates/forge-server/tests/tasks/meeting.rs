//! A named pipe at which a test and a script meet: each waits for the other, nobody sleeps.

use std::path::{Path, PathBuf};

use nix::sys::stat::Mode;

#[derive(Debug)]
pub(crate) struct Meeting(PathBuf);

impl Meeting {
    /// A new one in this directory.
    pub(crate) fn at(directory: &Path, name: &str) -> Self {
        let path = directory.join(name);
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a named pipe");
        Self(path)
    }

    /// Shell words that say "here".
    pub(crate) fn announce(&self) -> String {
        format!("echo here > '{}'", self.0.display())
    }

    /// Shell words that wait for the word to go on.
    pub(crate) fn wait(&self) -> String {
        format!("read word < '{}'", self.0.display())
    }

    /// Waits until the script says "here".
    pub(crate) async fn announced(&self) {
        let said = tokio::fs::read_to_string(&self.0).await.expect("the pipe");
        assert_eq!(said, "here\n");
    }

    /// Tells the script to go on.
    pub(crate) async fn go_on(&self) {
        tokio::fs::write(&self.0, "go on\n").await.expect("the pipe");
    }
}
