use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::foreign::Foreign;
use crate::identity::ProcessIdentity;
use crate::invocation::{Invocation, SpawnError, Stdin};
use crate::leader::Leader;
use crate::orphans;

/// Copies its input into files, each named after the place of its first byte in the output. Those of the head are
/// kept; of the later ones only as many as hold the tail, so a flood fills no disk even when nobody reads. On a full
/// disk it reads on and keeps nothing. `dd` writes each piece as it comes; other tools would hold back the last few
/// lines. It counts pieces, not bytes, hence the names.
///
/// Where its `dd` can, it has the disk begin with what it wrote little by little. Left alone, the kernel keeps what
/// runs print until there is much of it and writes all of that at once, and for seconds whoever else needs the disk
/// waits behind it. Done here and not by the server, that takes no time from those who answer people.
///
/// It says nothing: its directory may be gone before it is, and what it would print of that is printed among the words
/// of the program that started it.
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

/// What `dd` reads at once.
const PIECE: u64 = 4096;
/// Where its tools are looked for first: what a project puts on its own path is not meant for us.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

const LEAST_SEGMENT: u64 = 64 * 1024;
const MOST_SEGMENT: u64 = 16 * 1024 * 1024;

/// How long the relay may take over its last bytes once nobody writes any more.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// The layout of a spool: written down beside it, so that a later server reads it as it was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The log's size before the run.
    pub(crate) base: u64,
    pub(crate) cap: u64,
    pub(crate) tail: usize,
    /// The largest that a file gets.
    pub(crate) segment: u64,
}

impl Layout {
    pub(crate) fn new(base: u64, cap: u64, tail: usize) -> Self {
        let segment = (cap / 4).clamp(LEAST_SEGMENT, MOST_SEGMENT).max(tail as u64 + PIECE);
        Self { base, cap, tail, segment }
    }

    /// How much of the output goes to the log's head.
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

/// Where the relay of a log puts its files.
pub(crate) fn spool_of(log: &Path) -> PathBuf {
    let mut name = log.file_name().unwrap_or_default().to_owned();
    name.push(".spool");
    log.with_file_name(name)
}

/// The process that stands between a run and its log, so that neither hears of our death: the run's pipe keeps its
/// reader, and what it says is kept until somebody reads it.
#[derive(Debug)]
pub(crate) enum Relay {
    Child(Leader),
    Foreign(Option<Foreign>),
}

impl Relay {
    /// Starts it on the reading end of a run's pipe.
    pub(crate) fn start(
        reader: OwnedFd,
        spool: &Path,
        layout: Layout,
        search_path: &OsStr,
    ) -> Result<Self, SpawnError> {
        let refused = |source| SpawnError::Log { path: spool.to_owned(), source };
        clear(spool).map_err(refused)?;
        fs::create_dir(spool).map_err(refused)?;
        fs::write(spool.join("layout"), layout.to_text()).map_err(refused)?;
        let mut path = OsString::from(SYSTEM_PATH);
        path.push(":");
        path.push(search_path);
        let invocation = Invocation::new("sh", spool)
            .args(["-c", SCRIPT, "relay"])
            .arg(spool)
            .arg((layout.segment / PIECE).to_string())
            .arg(layout.head().to_string())
            .arg(layout.tail.to_string())
            .env("PATH", path)
            .stdin(Stdin::File(File::from(reader)));
        let (command, _) = invocation.into_command()?;
        // In a session of its own, or two hundred of them would share the server's part of the processor.
        let mut leader = Leader::start_apart(command).map_err(refused)?;
        leader.give_way();
        if let Some(identity) = ProcessIdentity::of(leader.pid()) {
            fs::write(spool.join("relay"), identity.to_text()).map_err(refused)?;
        }
        Ok(Self::Child(leader))
    }

    /// Finds the one that an earlier server started.
    pub(crate) fn find(spool: &Path) -> io::Result<(Self, Layout)> {
        let layout = fs::read_to_string(spool.join("layout"))?;
        let layout = Layout::parse(&layout)
            .ok_or_else(|| io::Error::other("the layout beside the output cannot be read"))?;
        let identity = fs::read_to_string(spool.join("relay")).ok();
        let identity = identity.and_then(|text| ProcessIdentity::parse(&text));
        if let Some(row) = identity.as_ref().and_then(ProcessIdentity::row) {
            // One that ended and came to us as an orphan; its status says nothing.
            orphans::collect_one(&row);
        }
        Ok((Self::Foreign(identity.and_then(Foreign::find)), layout))
    }

    /// Waits until it has written its last bytes. It ends by itself when nobody holds the run's pipe any more.
    pub(crate) async fn finish(self) {
        match self {
            Self::Child(mut leader) => {
                if tokio::time::timeout(LAST_WORDS, leader.ended()).await.is_ok() {
                    leader.reap().await.ok();
                }
            }
            Self::Foreign(Some(mut relay)) => {
                if tokio::time::timeout(LAST_WORDS, relay.ended()).await.is_err() {
                    relay.kill();
                    relay.ended().await;
                }
                relay.collect();
            }
            Self::Foreign(None) => {}
        }
    }

    /// Lets it run on without us.
    pub(crate) fn let_go(self) {
        if let Self::Child(leader) = self {
            leader.let_go();
        }
    }
}

/// Removes a spool, file by file: it holds nothing but what a relay put there.
pub(crate) fn clear(spool: &Path) -> io::Result<()> {
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
            let layout = Layout::new(base, cap, tail);
            assert!(layout.segment >= tail as u64);
            assert_eq!(layout.head(), cap.saturating_sub(base));
            assert_eq!(Layout::parse(&layout.to_text()), Some(layout));
        }
        assert_eq!(Layout::parse("1 2 3 0"), None);
        assert_eq!(Layout::parse("1 2"), None);
    }

    /// As when a demonstration is interrupted: its files are gone while something still ends.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the script alone, without what looks after it")]
    fn e_4_a_relay_whose_directory_is_gone_says_nothing_and_reads_on() {
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
        // The second one is begun.
        while fs::read_dir(&spool).expect("there").count() < 2 {
            std::thread::yield_now();
        }
        clear(&spool).expect("gone");
        (0..100).for_each(|_| print());
        drop(input);
        let ended = child.wait_with_output().expect("ends");
        assert!(ended.status.success());
        assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}
