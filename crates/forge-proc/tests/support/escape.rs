//! Ways in which a program leaves a process behind that is hard to find.
#![allow(dead_code, reason = "each test binary uses its part")]

use forge_proc::SupervisionSpec;

use super::place::ProcessFixture;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EscapeMethod {
    Background,
    DoubleFork,
    NewSession,
    IgnoresTerm,
    HoldsPipe,
    ClearsEnvironment,
}

impl EscapeMethod {
    pub(crate) const ALL: [Self; 6] = [
        Self::Background,
        Self::DoubleFork,
        Self::NewSession,
        Self::IgnoresTerm,
        Self::HoldsPipe,
        Self::ClearsEnvironment,
    ];

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|escape| format!("{escape:?}") == name)
    }

    /// The shell line that starts `sh ./survivor` and returns at once.
    fn line(self, place: &ProcessFixture) -> String {
        let survivor = format!("sh {}/survivor", place.path().display());
        match self {
            Self::Background => format!("{survivor} >/dev/null 2>&1 &"),
            Self::DoubleFork => format!("({survivor} >/dev/null 2>&1 &)"),
            Self::NewSession => format!("(setsid {survivor} >/dev/null 2>&1 &)"),
            Self::IgnoresTerm => format!(
                "(setsid sh -c 'trap \"\" TERM HUP INT; exec {survivor}' >/dev/null 2>&1 &)"
            ),
            Self::HoldsPipe => format!("(setsid {survivor} &)"),
            // No trace of the tree is left on it: no mark, no session, no parent, no directory, no open file.
            Self::ClearsEnvironment => {
                format!("(cd /; exec env -i setsid {survivor} </dev/null >/dev/null 2>&1 &)")
            }
        }
    }

    /// A program that lets a process escape and, once that process has settled, continues with the rest.
    pub(crate) fn spec(self, place: &ProcessFixture, rest: &str) -> SupervisionSpec {
        place.fifo("up");
        place.fifo("settled");
        let home = place.path().display();
        let survivor = format!(
            "cut -d' ' -f1,22 /proc/$$/stat >> {home}/pids; echo up > {home}/up; exec sleep 1000"
        );
        std::fs::write(place.path().join("survivor"), survivor).expect("a script");
        let line = self.line(place);
        place.spec(&format!(
            "cut -d' ' -f1,22 /proc/$$/stat >> pids\n{line}\ncat up > /dev/null\n{rest}"
        ))
    }
}

impl ProcessFixture {
    /// The processes that wrote their pids and are still in the process table, dead or alive.
    pub(crate) fn survivors(&self) -> Vec<String> {
        let lines = self.read("pids");
        assert_eq!(lines.lines().count(), 2, "the program and its survivor: {lines}");
        let is_there = |line: &&str| {
            let (pid, start) = line.split_once(' ').expect("pid and start");
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.split(' ').nth(21) == Some(start)
        };
        lines.lines().filter(is_there).map(str::to_owned).collect()
    }
}

/// Children of this very process, dead or alive, read without the code under test.
pub(crate) fn own_children() -> Vec<String> {
    let own = std::process::id().to_string();
    std::fs::read_dir("/proc")
        .expect("/proc")
        .flatten()
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| {
            let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
            after_name.split(' ').nth(1) == Some(own.as_str())
        })
        .collect()
}
