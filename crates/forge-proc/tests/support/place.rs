//! What the process tests share: a directory, calls of `sh`, and reading the process table from outside.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::{Path, PathBuf};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use forge_proc::{Invocation, Mark, ProcessIdentity, Spec};

pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub(crate) struct Place {
    home: PathBuf,
    pub(crate) mark: Mark,
    _owned: Option<tempfile::TempDir>,
}

impl Place {
    pub(crate) fn new(name: &str) -> Self {
        let mark = format!("test-{name}-{}", std::process::id());
        let directory = tempfile::tempdir().expect("a temporary directory");
        let place = Self::given(directory.path(), mark);
        Self { _owned: Some(directory), ..place }
    }

    /// The place of another process.
    pub(crate) fn given(home: impl Into<PathBuf>, mark: impl Into<String>) -> Self {
        let mark = Mark::new(mark).expect("a plain mark");
        Self { home: home.into(), mark, _owned: None }
    }

    /// A named pipe, by which a child says how far it is.
    pub(crate) fn fifo(&self, name: &str) {
        let path = self.path().join(name);
        if path.exists() {
            return;
        }
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo").success());
    }

    pub(crate) fn path(&self) -> &Path {
        &self.home
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path().join("log")
    }

    pub(crate) fn shell(&self, script: &str) -> Invocation {
        Invocation::new("sh", self.path()).env("PATH", PATH).args(["-c", script])
    }

    pub(crate) fn spec(&self, script: &str) -> Spec {
        Spec::new(self.shell(script), self.mark.clone(), self.log())
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("a file the child wrote")
    }

    /// Live processes with our mark, looked up without the code under test.
    pub(crate) fn marked(&self) -> Vec<u32> {
        let wanted = format!("FORGE_MARK={}", self.mark);
        std::fs::read_dir("/proc")
            .expect("/proc")
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
            .filter(|pid| {
                let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environ.split(|byte| *byte == 0).any(|one| one == wanted.as_bytes())
            })
            .collect()
    }

    /// Waits until a fifo of the child is written: the child's own signal that it got there.
    pub(crate) async fn reached(&self, fifo: &str) {
        let path = self.path().join(fifo);
        tokio::fs::read(path).await.expect("the child opened its fifo");
    }

    /// Writes to a fifo that the child reads.
    pub(crate) async fn tell(&self, fifo: &str, text: &str) {
        let path = self.path().join(fifo);
        tokio::fs::write(path, text).await.expect("the child opened its fifo");
    }

    /// Waits for the end of a process that came to us as an orphan, and leaves it as it is.
    pub(crate) async fn gone(&self, process: &ProcessIdentity) {
        let pid = Pid::from_raw(i32::try_from(process.pid).expect("a pid")).expect("a pid");
        let wait = move || waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        tokio::task::spawn_blocking(wait).await.expect("runs").expect("our child");
    }
}
