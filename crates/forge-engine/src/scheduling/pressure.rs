//! How long processes wait for the machine, as the kernel counts it (PSI).

use std::path::Path;

/// What processes can wait for, and nobody gets on. The processor is not among them: some process always waits for one
/// on a machine that is used well, and another agent makes that slower, not worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressure {
    Memory,
    Io,
}

impl Pressure {
    pub(super) const ALL: [Self; 2] = [Self::Memory, Self::Io];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Io => "io",
        }
    }

    /// The part of the last ten seconds, in whole percent; `None` where the kernel does not count it.
    pub(super) fn load_percent(self, proc: &Path) -> Option<u32> {
        let text = std::fs::read_to_string(proc.join("pressure").join(self.name())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("full "))?;
        let average = line.split_whitespace().find_map(|field| field.strip_prefix("avg10="))?;
        average.split('.').next()?.parse().ok()
    }
}
