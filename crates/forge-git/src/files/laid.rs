use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use super::declined::Declined;
use super::index::Index;
use super::plan::Plan;
use super::stamp::Stamp;
use super::stock::Demand;
use super::writer::{Pace, Writer};
use crate::beneath::Beneath;
use crate::record::Record;
use crate::spot::Spot;

/// Files that were written, and what they look like. Nobody was told yet.
#[derive(Debug)]
pub(super) struct Laid {
    plan: Plan,
    stamps: Vec<Stamp>,
}

impl Laid {
    /// Writes all files of a plan into an empty directory.
    pub(super) fn out(
        plan: Plan,
        ground: &Beneath,
        pace: Pace,
        stopped: &AtomicBool,
    ) -> Result<Self, Declined> {
        let writer = Writer { ground, pace, stopped, rewritten: &BTreeSet::new() };
        let stamps = writer.write(&plan.objects, &plan.listing.files)?;
        Ok(Self { plan, stamps })
    }

    /// Makes them those of a worktree: its index, and last the sign that it is checked out. What the next one like it needs.
    pub(super) fn seal(self, spot: &Spot) -> Result<Demand, Declined> {
        let Plan { objects, listing } = self.plan;
        let demand = Demand { objects, ids: listing.ids().collect() };
        let entries = listing.files.into_iter().zip(self.stamps).collect();
        let trees: BTreeMap<_, _> = listing.directories.into_iter().collect();
        Index { entries, trees }.save(&spot.git_dir)?;
        spot.set_checked_out()?;
        Ok(demand)
    }
}

impl Spot {
    pub(super) fn set_checked_out(&self) -> Result<(), Declined> {
        Record::at(&self.git_dir).set_checked_out().map_err(Declined::new)
    }
}
