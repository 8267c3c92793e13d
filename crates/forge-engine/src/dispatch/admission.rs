//! Whether the machine has resources for another execution (E-11).

use crate::dispatch::dispatch_round::Dispatch;
use crate::dispatch::pressure::PressureKind;
use forge_domain::dispatch::ResourceShortage;
use std::path::{Path, PathBuf};

/// Resources required before the scheduler starts an agent. Claims by users are not limited by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdmissionLimits {
    /// Free bytes required on the disks of the data directory and the workspaces.
    pub least_disk_bytes: u64,
    /// Available bytes of memory required.
    pub least_memory_bytes: u64,
    /// Highest share of the last ten seconds that processes stalled, in percent.
    pub most_pressure_percent: u32,
    /// The proc filesystem; another directory in tests.
    pub proc: PathBuf,
}

impl Default for AdmissionLimits {
    fn default() -> Self {
        Self {
            least_disk_bytes: 0,
            least_memory_bytes: 0,
            most_pressure_percent: 100,
            proc: PathBuf::from("/proc"),
        }
    }
}

impl AdmissionLimits {
    /// The resources that the machine lacks now. Unknown values count as sufficient.
    fn load_lacks(&self, places: &[&Path]) -> Vec<ResourceShortage> {
        let disk = places.iter().filter_map(|place| free_bytes(place)).min();
        let low = disk.filter(|free| *free < self.least_disk_bytes);
        let disk = low.map(|free| ResourceShortage::DiskLow { free, least: self.least_disk_bytes });
        let memory = self.available_memory().filter(|bytes| *bytes < self.least_memory_bytes);
        let memory = memory.map(|available| ResourceShortage::MemoryLow {
            available,
            least: self.least_memory_bytes,
        });
        let pressure = PressureKind::ALL.into_iter().filter_map(|pressure| self.too_high(pressure));
        disk.into_iter().chain(memory).chain(pressure).collect()
    }

    fn available_memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(self.proc.join("meminfo")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        kibibytes.checked_mul(1024)
    }

    fn too_high(&self, pressure: PressureKind) -> Option<ResourceShortage> {
        let percent = pressure.load_percent(&self.proc)?;
        let most = self.most_pressure_percent;
        let resource = pressure.name().to_owned();
        (percent > most).then_some(ResourceShortage::PressureHigh { resource, percent, most })
    }
}

impl Dispatch {
    /// The resources that this machine lacks to start another execution; empty if none.
    pub fn load_lacks(&self) -> Vec<ResourceShortage> {
        let places = [self.home.root(), self.root.path()];
        self.admission.load_lacks(&places)
    }
}

fn free_bytes(place: &Path) -> Option<u64> {
    let found = nix::sys::statvfs::statvfs(place).ok()?;
    found.blocks_available().checked_mul(found.fragment_size())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    fn machine(meminfo: &str, io: Option<&str>) -> (tempfile::TempDir, AdmissionLimits) {
        let proc = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(proc.path().join("meminfo"), meminfo).expect("written");
        if let Some(io) = io {
            std::fs::create_dir(proc.path().join("pressure")).expect("made");
            std::fs::write(proc.path().join("pressure/io"), io).expect("written");
        }
        let path = proc.path().to_owned();
        (
            proc,
            AdmissionLimits { proc: path, most_pressure_percent: 40, ..AdmissionLimits::default() },
        )
    }

    #[test]
    fn e_11_memory_and_pressure_are_read_as_the_kernel_writes_them() {
        let io = "some avg10=90.00 avg60=1.00 avg300=0.00 total=1\nfull avg10=41.70 avg60=0.00 avg300=0.00 total=1\n";
        let (_proc, mut admission) =
            machine("MemTotal: 99 kB\nMemAvailable:   2048 kB\n", Some(io));
        let high =
            ResourceShortage::PressureHigh { resource: "io".to_owned(), percent: 41, most: 40 };
        assert_eq!(admission.load_lacks(&[]), std::slice::from_ref(&high));
        admission.least_memory_bytes = 2048 * 1024 + 1;
        let least = admission.least_memory_bytes;
        let low = ResourceShortage::MemoryLow { available: 2048 * 1024, least };
        assert_eq!(admission.load_lacks(&[]), [low, high]);
        admission.least_memory_bytes -= 1;
        admission.most_pressure_percent = 41;
        assert_eq!(admission.load_lacks(&[]), []);
    }

    #[test]
    fn e_11_a_kernel_that_tells_nothing_lacks_nothing() {
        let (_proc, mut admission) = machine("", None);
        admission.least_memory_bytes = u64::MAX;
        assert_eq!(admission.load_lacks(&[Path::new("nowhere at all")]), []);
    }

    #[test]
    fn e_11_a_disk_with_less_than_must_be_free_is_named() {
        let (proc, mut admission) = machine("", None);
        admission.least_disk_bytes = u64::MAX;
        let lacks = admission.load_lacks(&[proc.path()]);
        assert!(
            matches!(lacks.as_slice(), [ResourceShortage::DiskLow { least: u64::MAX, .. }]),
            "{lacks:?}"
        );
    }
}
