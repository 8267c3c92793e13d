//! How long processes wait for the machine, as the kernel counts it (PSI).

use std::path::Path;

/// What processes can wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressure {
    Cpu,
    Memory,
    Io,
}

impl Pressure {
    pub(super) const ALL: [Self; 3] = [Self::Cpu, Self::Memory, Self::Io];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Io => "io",
        }
    }

    /// Somebody always waits for a processor on a machine that is used well, and the kernel says nothing about all of
    /// them waiting. For the others it counts when nobody gets on.
    fn line(self) -> &'static str {
        match self {
            Self::Cpu => "some ",
            Self::Memory | Self::Io => "full ",
        }
    }

    /// The part of the last ten seconds, in whole percent; `None` where the kernel does not count it.
    pub(super) fn load_percent(self, proc: &Path) -> Option<u32> {
        let text = std::fs::read_to_string(proc.join("pressure").join(self.name())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(self.line()))?;
        let average = line.split_whitespace().find_map(|field| field.strip_prefix("avg10="))?;
        average.split('.').next()?.parse().ok()
    }
}
