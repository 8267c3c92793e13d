//! One workflow in the place of another (F-5): which state takes over the tasks of which.

use super::{Kind, State, StateName, Workflow};
use std::collections::BTreeMap;
use std::fmt;

/// A new workflow in the place of an old one; can only be made of a mapping that fits both.
///
/// A state is followed by the one it is mapped to, else by its namesake. Both must be of the same kind: then the
/// business of the one is the business of the other, and nothing has to be begun or ended.
#[derive(Debug, Clone, Copy)]
pub struct Succession<'w> {
    old: &'w Workflow,
    new: &'w Workflow,
    mapping: &'w BTreeMap<StateName, StateName>,
}

/// One thing that is wrong with a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingProblem {
    /// The old state of the entry.
    pub state: StateName,
    /// What is wrong with it.
    pub message: String,
}

/// A state without a successor that still holds tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldState {
    /// Which.
    pub state: StateName,
    /// How many tasks have not ended and are in it.
    pub tasks: u64,
    /// Its kind, and the other kind of its namesake in the new workflow, if it has one.
    pub changed: Option<(Kind, Kind)>,
}

impl<'w> Succession<'w> {
    /// Checks the mapping against both workflows, or says everything that is wrong with it.
    pub fn new(
        old: &'w Workflow,
        new: &'w Workflow,
        mapping: &'w BTreeMap<StateName, StateName>,
    ) -> Result<Self, Vec<MappingProblem>> {
        let mut problems = Vec::new();
        for (from, to) in mapping {
            let mut wrong =
                |message| problems.push(MappingProblem { state: from.clone(), message });
            let (before, after) = (old.state(from), new.state(to));
            if before.is_none() {
                wrong(format!("the present workflow has no state \"{from}\""));
            }
            if after.is_none() {
                wrong(format!("the new workflow has no state \"{to}\" to take \"{from}\""));
            }
            if let (Some(before), Some(after)) = (before, after)
                && before.kind() != after.kind()
            {
                wrong(format!(
                    "\"{from}\" is a {} state and \"{to}\" a {} state; only one of the same kind can take its tasks",
                    before.kind(),
                    after.kind()
                ));
            }
        }
        if problems.is_empty() { Ok(Self { old, new, mapping }) } else { Err(problems) }
    }

    /// The workflow that goes.
    pub fn old(&self) -> &'w Workflow {
        self.old
    }

    /// The workflow that comes.
    pub fn new_workflow(&self) -> &'w Workflow {
        self.new
    }

    /// The state that takes over, if there is one.
    pub fn successor(&self, of: &State) -> Option<&'w State> {
        self.designated(&of.name).filter(|found| found.kind() == of.kind())
    }

    /// The states without a successor among those that hold tasks.
    pub fn stranded<'s>(
        &self,
        held: impl IntoIterator<Item = (&'s StateName, &'s u64)>,
    ) -> Vec<HeldState> {
        let mut stranded = Vec::new();
        for (name, tasks) in held {
            let before = self.old.state(name);
            if before.and_then(|state| self.successor(state)).is_none() {
                let kinds = before.zip(self.designated(name));
                let changed = kinds.map(|(before, after)| (before.kind(), after.kind()));
                stranded.push(HeldState { state: name.clone(), tasks: *tasks, changed });
            }
        }
        stranded
    }

    /// Counts by state, as the states are called now; what has no successor is not counted any more.
    pub(crate) fn carry(&self, counts: &BTreeMap<StateName, u32>) -> BTreeMap<StateName, u32> {
        let mut carried = BTreeMap::new();
        for (name, count) in counts {
            if let Some(state) = self.old.state(name).and_then(|state| self.successor(state)) {
                let total: &mut u32 = carried.entry(state.name.clone()).or_default();
                *total = total.saturating_add(*count);
            }
        }
        carried
    }

    /// What a state is called now; none if nothing took its place.
    pub(crate) fn renamed(&self, name: &StateName) -> Option<StateName> {
        let state = self.old.state(name).and_then(|state| self.successor(state));
        state.map(|state| state.name.clone())
    }

    fn designated(&self, name: &StateName) -> Option<&'w State> {
        self.new.state(self.mapping.get(name).unwrap_or(name))
    }
}

impl fmt::Display for MappingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for HeldState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.tasks == 1 { "task" } else { "tasks" };
        write!(f, "\"{}\" ({} {noun}", self.state, self.tasks)?;
        if let Some((before, after)) = self.changed {
            write!(f, ", a {before} state that is a {after} state there")?;
        }
        f.write_str(")")
    }
}
