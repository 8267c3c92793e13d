//! Dependencies (T-16): same project, no circle, no edge between a child and its parent.

use super::draft::Draft;
use crate::{Event, Refusal, TaskId};

impl Draft<'_> {
    pub(super) fn add_dependency(&mut self, on: TaskId) -> Result<(), Refusal> {
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if on == self.task.id {
            let key = self.task.key().to_string();
            return Err(Refusal::DependencyCycle { cycle: vec![key.clone(), key] });
        }
        if !self.facts.same_project {
            return Err(Refusal::DependencyScope(
                "a task can only wait for a task of the same project",
            ));
        }
        if self.facts.is_family {
            return Err(Refusal::DependencyScope(
                "a task and its own parent cannot wait for each other",
            ));
        }
        if self.task.turn().is_some() || self.facts.is_turn {
            return Err(Refusal::DependencyScope(super::subtask::TURNS_WAIT_FOR_NOTHING));
        }
        if !self.facts.way_back.is_empty() {
            let mut cycle = vec![self.task.key().to_string()];
            cycle.extend(self.facts.way_back.iter().cloned());
            return Err(Refusal::DependencyCycle { cycle });
        }
        if !self.task.dependencies.contains(&on) {
            self.emit(Event::DependencyAdded { on });
        }
        Ok(())
    }

    pub(super) fn remove_dependency(&mut self, on: TaskId) -> Result<(), Refusal> {
        if self.task.dependencies.contains(&on) {
            self.emit(Event::DependencyRemoved { on });
        }
        Ok(())
    }
}
