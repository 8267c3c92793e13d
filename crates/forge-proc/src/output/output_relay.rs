use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::adoption::adopted_process::AdoptedProcess;
use crate::call::invocation::{ProgramInvocation, SpawnError, StdinSource};
use crate::supervise::owned_child::OwnedChild;
use crate::tree::orphans;
use crate::tree::process_identity::ProcessIdentity;

/// Copies its input into files, each named after the position of its first byte in the output. Files of the head are
/// kept; of the later files only enough to hold the tail, so a flood fills no disk even without a reader. On a full
/// disk it keeps reading and stores nothing. `dd` writes each piece as it arrives; other tools would hold back the
/// last few lines. `dd` counts pieces, not bytes, hence the names.
///
/// Where `dd` supports it, the script flushes written data to the disk little by little. By default the kernel
/// collects written output and flushes all of it at once, which blocks other users of the disk for seconds. Flushing
/// in the relay costs the server no time.
///
/// The script prints no errors: its directory may be removed before it ends, and its errors would appear in the
/// output of the program that started it.
const SCRIPT: &str = r#"
exec 2> /dev/null
spool=$1 pieces=$2 head=$3 tail=$4 at=0 later= steadily=oflag=nocache
dd bs=1 count=1 status=none $steadily < /dev/null > /dev/null || steadily=
while dd bs=4096 count="$pieces" status=none $steadily > "$spool/$at"; do
  size=$(wc -c < "$spool/$at") || break
  [ "$size" -gt 0 ] || break
  [ "$at" -lt "$head" ] || later="$later $at"
  at=$((at + size))
  set -- $later
  while [ $# -gt 1 ] && [ $((at - $2)) -ge "$tail" ]; do
    rm -f "$spool/$1"
    shift
  done
  later=$*
done
exec cat > /dev/null
"#;

/// Bytes that `dd` reads at once.
const PIECE_BYTES: u64 = 4096;
/// Searched first for the relay's tools: a project's own path must not replace them.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

const LEAST_SEGMENT: u64 = 64 * 1024;
const MOST_SEGMENT: u64 = 16 * 1024 * 1024;

/// How long the relay may take to write its last bytes after every writer is gone.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// The layout of a spool, stored beside it so that a later server reads the spool with the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpoolLayout {
    /// Size of the log before the program started.
    pub(crate) base: u64,
    pub(crate) cap: u64,
    pub(crate) tail: usize,
    /// Largest size of one file.
    pub(crate) segment: u64,
}

impl SpoolLayout {
    pub(crate) fn new(base: u64, cap: u64, tail: usize) -> Self {
        let segment = (cap / 4).clamp(LEAST_SEGMENT, MOST_SEGMENT).max(tail as u64 + PIECE_BYTES);
        Self { base, cap, tail, segment }
    }

    /// How many bytes of output go to the head of the log.
    pub(crate) fn head(self) -> u64 {
        self.cap.saturating_sub(self.base)
    }

    fn to_text(self) -> String {
        format!("{} {} {} {}\n", self.base, self.cap, self.tail, self.segment)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        let (base, cap) = (next()?, next()?);
        let (tail, segment) = (usize::try_from(next()?).ok()?, next()?);
        (segment > 0).then_some(Self { base, cap, tail, segment })
    }
}

/// The directory of the relay's files for a log.
pub(crate) fn spool_dir(log: &Path) -> PathBuf {
    let mut name = log.file_name().unwrap_or_default().to_owned();
    name.push(".spool");
    log.with_file_name(name)
}

/// The process between a supervised program and its log. It survives the server: the program's pipe keeps its reader,
/// and the output is stored until a server reads it.
#[derive(Debug)]
pub(crate) enum OutputRelay {
    Owned(OwnedChild),
    Adopted(Option<AdoptedProcess>),
}

impl OutputRelay {
    /// Starts the relay on the reading end of the program's pipe.
    pub(crate) fn start(
        reader: OwnedFd,
        spool: &Path,
        layout: SpoolLayout,
        search_path: &OsStr,
    ) -> Result<Self, SpawnError> {
        let refused = |source| SpawnError::Log { path: spool.to_owned(), source };
        remove_spool(spool).map_err(refused)?;
        fs::create_dir(spool).map_err(refused)?;
        fs::write(spool.join("layout"), layout.to_text()).map_err(refused)?;
        let mut path = OsString::from(SYSTEM_PATH);
        path.push(":");
        path.push(search_path);
        let invocation = ProgramInvocation::new("sh", spool)
            .args(["-c", SCRIPT, "relay"])
            .arg(spool)
            .arg((layout.segment / PIECE_BYTES).to_string())
            .arg(layout.head().to_string())
            .arg(layout.tail.to_string())
            .env("PATH", path)
            .stdin(StdinSource::File(File::from(reader)));
        let (command, _) = invocation.into_command()?;
        // A session of its own; otherwise two hundred relays would use the server's share of the processor.
        let mut leader = OwnedChild::start_detached(command).map_err(refused)?;
        leader.share_background_priority();
        if let Some(identity) = ProcessIdentity::of(leader.pid()) {
            fs::write(spool.join("relay"), identity.to_text()).map_err(refused)?;
        }
        Ok(Self::Owned(leader))
    }

    /// Finds the relay that an earlier server started.
    pub(crate) fn find(spool: &Path) -> io::Result<(Self, SpoolLayout)> {
        let layout = fs::read_to_string(spool.join("layout"))?;
        let layout = SpoolLayout::parse(&layout)
            .ok_or_else(|| io::Error::other("the layout beside the output cannot be read"))?;
        let identity = fs::read_to_string(spool.join("relay")).ok();
        let identity = identity.and_then(|text| ProcessIdentity::parse(&text));
        if let Some(row) = identity.as_ref().and_then(ProcessIdentity::row) {
            // Reap a relay that ended and was reparented here; its exit status does not matter.
            orphans::reap_orphan(&row);
        }
        Ok((Self::Adopted(identity.and_then(AdoptedProcess::open)), layout))
    }

    /// Waits until the relay has written its last bytes. It ends by itself when no process holds the program's pipe.
    pub(crate) async fn finish(self) {
        match self {
            Self::Owned(mut leader) => {
                if tokio::time::timeout(FLUSH_TIMEOUT, leader.wait_for_exit()).await.is_ok() {
                    leader.reap().await.ok();
                }
            }
            Self::Adopted(Some(mut relay)) => {
                if tokio::time::timeout(FLUSH_TIMEOUT, relay.wait_for_exit()).await.is_err() {
                    relay.kill();
                    relay.wait_for_exit().await;
                }
                relay.reap();
            }
            Self::Adopted(None) => {}
        }
    }

    /// Leaves the relay running without supervision.
    pub(crate) fn release(self) {
        if let Self::Owned(leader) = self {
            leader.release();
        }
    }
}

/// Records the identity of the program, before the server stores it in the database.
pub(crate) fn write_program(spool: &Path, identity: &ProcessIdentity) -> io::Result<()> {
    fs::write(program_path(spool), identity.to_text())
}

/// The identity of the program, as recorded at its start.
pub(crate) fn load_program(spool: &Path) -> Option<ProcessIdentity> {
    ProcessIdentity::parse(&fs::read_to_string(program_path(spool)).ok()?)
}

fn program_path(spool: &Path) -> PathBuf {
    spool.join("program")
}

/// Records that the log holds all of the output, so that its end is not written a second time.
pub(crate) fn mark_fully_read(spool: &Path) -> io::Result<()> {
    fs::write(read_marker_path(spool), "")
}

/// Whether the log holds all of the output.
pub(crate) fn is_fully_read(spool: &Path) -> bool {
    read_marker_path(spool).exists()
}

fn read_marker_path(spool: &Path) -> PathBuf {
    spool.join("read")
}

/// Removes a spool file by file: it holds only files of a relay.
pub(crate) fn remove_spool(spool: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(spool) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        fs::remove_file(entry?.path())?;
    }
    fs::remove_dir(spool)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_4_a_segment_holds_the_tail() {
        for (base, cap, tail) in [(0, 64 << 20, 64 << 10), (10, 8, 1), (5, 100_000, 1 << 20)] {
            let layout = SpoolLayout::new(base, cap, tail);
            assert!(layout.segment >= tail as u64);
            assert_eq!(layout.head(), cap.saturating_sub(base));
            assert_eq!(SpoolLayout::parse(&layout.to_text()), Some(layout));
        }
        assert_eq!(SpoolLayout::parse("1 2 3 0"), None);
        assert_eq!(SpoolLayout::parse("1 2"), None);
    }

    /// As when `forge demo` is interrupted: its files are removed while a relay still runs.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "runs the script alone, without supervision")]
    fn e_4_a_relay_without_its_directory_prints_nothing_and_keeps_reading() {
        let place = tempfile::tempdir().expect("a directory");
        let spool = place.path().join("spool");
        fs::create_dir(&spool).expect("made");
        let mut child = std::process::Command::new("sh")
            .args(["-c", SCRIPT, "relay"])
            .arg(&spool)
            .args(["2", "100000", "10000"])
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("starts");
        let mut input = child.stdin.take().expect("piped");
        let mut print = || io::Write::write_all(&mut input, &[b'x'; 4096]).expect("it reads on");
        (0..2).for_each(|_| print());
        // Wait until the relay has begun its second file.
        while fs::read_dir(&spool).expect("there").count() < 2 {
            std::thread::yield_now();
        }
        remove_spool(&spool).expect("gone");
        (0..100).for_each(|_| print());
        drop(input);
        let ended = child.wait_with_output().expect("ends");
        assert!(ended.status.success());
        assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}
