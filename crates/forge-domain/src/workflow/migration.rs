//! Replaces one workflow by another (F-5): maps old states to their successors.

use crate::workflow::{StateName, Workflow, WorkflowState, WorkflowStateKind};
use std::collections::BTreeMap;
use std::fmt;

/// The replacement of a workflow by a new one, with a mapping that fits both.
///
/// The successor of a state is the state it is mapped to, else the state of the same name. Both must have the same
/// kind: then their work is the same, and no activity has to be started or stopped.
#[derive(Debug, Clone, Copy)]
pub struct WorkflowMigration<'w> {
    old: &'w Workflow,
    new: &'w Workflow,
    mapping: &'w BTreeMap<StateName, StateName>,
}

/// A problem of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappingProblem {
    /// The old state of the entry.
    pub state: StateName,
    /// Description of the problem.
    pub message: String,
}

/// A state without a successor that still contains tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccupiedState {
    pub state: StateName,
    /// Number of tasks in it that have not ended.
    pub tasks: u64,
    /// Its kind, and the different kind of the new state with the same name, if there is one.
    pub changed: Option<(WorkflowStateKind, WorkflowStateKind)>,
}

impl<'w> WorkflowMigration<'w> {
    /// Checks the mapping against both workflows, or returns all its problems.
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
                wrong(format!("the current workflow has no state \"{from}\""));
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

    /// The workflow that is replaced.
    pub fn old(&self) -> &'w Workflow {
        self.old
    }

    /// The workflow that replaces it.
    pub fn new_workflow(&self) -> &'w Workflow {
        self.new
    }

    /// The successor of a state, if there is one.
    pub fn successor(&self, of: &WorkflowState) -> Option<&'w WorkflowState> {
        self.mapped_state(&of.name).filter(|found| found.kind() == of.kind())
    }

    /// The states that contain tasks and have no successor.
    pub fn occupied_states<'s>(
        &self,
        held: impl IntoIterator<Item = (&'s StateName, &'s u64)>,
    ) -> Vec<OccupiedState> {
        let mut stranded = Vec::new();
        for (name, tasks) in held {
            let before = self.old.state(name);
            if before.and_then(|state| self.successor(state)).is_none() {
                let kinds = before.zip(self.mapped_state(name));
                let changed = kinds.map(|(before, after)| (before.kind(), after.kind()));
                stranded.push(OccupiedState { state: name.clone(), tasks: *tasks, changed });
            }
        }
        stranded
    }

    /// Counts by state, under the new names; the counts of states without a successor are dropped.
    pub(crate) fn map_counts(&self, counts: &BTreeMap<StateName, u32>) -> BTreeMap<StateName, u32> {
        let mut carried = BTreeMap::new();
        for (name, count) in counts {
            if let Some(state) = self.old.state(name).and_then(|state| self.successor(state)) {
                let total: &mut u32 = carried.entry(state.name.clone()).or_default();
                *total = total.saturating_add(*count);
            }
        }
        carried
    }

    /// New name of a state; `None` if it has no successor.
    pub(crate) fn map_state(&self, name: &StateName) -> Option<StateName> {
        let state = self.old.state(name).and_then(|state| self.successor(state));
        state.map(|state| state.name.clone())
    }

    fn mapped_state(&self, name: &StateName) -> Option<&'w WorkflowState> {
        self.new.state(self.mapping.get(name).unwrap_or(name))
    }
}

impl fmt::Display for MappingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for OccupiedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.tasks == 1 { "task" } else { "tasks" };
        write!(f, "\"{}\" ({} {noun}", self.state, self.tasks)?;
        if let Some((before, after)) = self.changed {
            write!(f, ", a {before} state that is a {after} state there")?;
        }
        f.write_str(")")
    }
}
