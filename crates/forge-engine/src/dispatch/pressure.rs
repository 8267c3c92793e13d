//! Pressure stall information (PSI) of the kernel.

use std::path::Path;

/// Resources for which a stall stops progress. The CPU is not among them: on a busy machine some process always waits
/// for it, and another agent only makes that slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PressureKind {
    Memory,
    Io,
}

impl PressureKind {
    pub(crate) const ALL: [Self; 2] = [Self::Memory, Self::Io];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Io => "io",
        }
    }

    /// The stalled share of the last ten seconds in percent; `None` if the kernel does not report it.
    pub(crate) fn load_percent(self, proc: &Path) -> Option<u32> {
        let text = std::fs::read_to_string(proc.join("pressure").join(self.name())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("full "))?;
        let average = line.split_whitespace().find_map(|field| field.strip_prefix("avg10="))?;
        average.split('.').next()?.parse().ok()
    }
}
