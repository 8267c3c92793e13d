//! Adds and removes dependencies (T-16): same project, no cycle, no edge between a child and its parent.

use crate::decide::decision_builder::DecisionBuilder;
use crate::{Refusal, TaskEvent, TaskId};

impl DecisionBuilder<'_> {
    pub(crate) fn add_dependency(&mut self, on: TaskId) -> Result<(), Refusal> {
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
            return Err(Refusal::DependencyScope(
                crate::decide::turns::subtask::TURNS_WAIT_FOR_NOTHING,
            ));
        }
        if !self.facts.dependency_cycle.is_empty() {
            let mut cycle = vec![self.task.key().to_string()];
            cycle.extend(self.facts.dependency_cycle.iter().cloned());
            return Err(Refusal::DependencyCycle { cycle });
        }
        if !self.task.dependencies.contains(&on) {
            self.emit(TaskEvent::DependencyAdded { on });
        }
        Ok(())
    }

    pub(crate) fn remove_dependency(&mut self, on: TaskId) -> Result<(), Refusal> {
        if self.task.dependencies.contains(&on) {
            self.emit(TaskEvent::DependencyRemoved { on });
        }
        Ok(())
    }
}
