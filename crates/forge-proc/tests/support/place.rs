//! Shared by the process tests: a directory, calls of `sh`, and independent reads of the process table.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::{Path, PathBuf};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use forge_proc::{ProcessIdentity, ProcessMark, ProgramInvocation, SupervisionSpec};

pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub(crate) struct ProcessFixture {
    home: PathBuf,
    pub(crate) mark: ProcessMark,
    _owned: Option<tempfile::TempDir>,
}

impl ProcessFixture {
    pub(crate) fn new(name: &str) -> Self {
        let mark = format!("test-{name}-{}", std::process::id());
        let directory = tempfile::tempdir().expect("a temporary directory");
        let place = Self::open(directory.path(), mark);
        Self { _owned: Some(directory), ..place }
    }

    /// Opens the directory of another test process.
    pub(crate) fn open(home: impl Into<PathBuf>, mark: impl Into<String>) -> Self {
        let mark = ProcessMark::new(mark).expect("a plain mark");
        Self { home: home.into(), mark, _owned: None }
    }

    /// A named pipe by which a child reports its progress.
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

    pub(crate) fn shell(&self, script: &str) -> ProgramInvocation {
        ProgramInvocation::new("sh", self.path()).env("PATH", PATH).args(["-c", script])
    }

    pub(crate) fn spec(&self, script: &str) -> SupervisionSpec {
        SupervisionSpec::new(self.shell(script), self.mark.clone(), self.log())
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("a file the child wrote")
    }

    /// Live processes with the test's mark, looked up without the code under test.
    pub(crate) fn marked_processes(&self) -> Vec<u32> {
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

    /// Waits until the child writes to a fifo to report its progress.
    pub(crate) async fn wait_for_fifo(&self, fifo: &str) {
        let path = self.path().join(fifo);
        tokio::fs::read(path).await.expect("the child opened its fifo");
    }

    /// Writes to a fifo that the child reads.
    pub(crate) async fn write_fifo(&self, fifo: &str, text: &str) {
        let path = self.path().join(fifo);
        tokio::fs::write(path, text).await.expect("the child opened its fifo");
    }

    /// Waits for the end of a process that was reparented here, without reaping it.
    pub(crate) async fn wait_until_exited(&self, process: &ProcessIdentity) {
        let pid = Pid::from_raw(i32::try_from(process.pid).expect("a pid")).expect("a pid");
        let wait = move || waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        tokio::task::spawn_blocking(wait).await.expect("runs").expect("our child");
    }
}
