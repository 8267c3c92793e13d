//! The trains as people see them (M-13).

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::train::Standing;
use forge_domain::{ProjectId, TaskId};

/// The line of one target.
#[derive(Debug, Clone)]
pub struct TrainView {
    /// The target branch.
    pub target: String,
    /// The node that runs it, if that is another one.
    pub node: Option<String>,
    /// How many are tried at once; not known of another node's.
    pub window: Option<usize>,
    /// Who waits, in the order in which they are to land.
    pub cars: Vec<CarView>,
}

/// A task in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarView {
    /// Which task.
    pub task: TaskId,
    /// Its project.
    pub project: ProjectId,
    /// What is known of it with all before it; nothing while it is not tried, or of another node's.
    pub standing: Option<Standing>,
    /// The commit that is tried.
    pub commit: Option<String>,
}

impl Engine {
    /// The lines that tasks of this project wait in: those that this node runs, with everybody else who waits there,
    /// then those of other nodes.
    pub async fn trains_of(&self, project: ProjectId) -> Result<Vec<TrainView>, EngineError> {
        let mut trains = self.trains_here(project);
        trains.extend(self.trains_elsewhere(project).await?);
        Ok(trains)
    }

    fn trains_here(&self, project: ProjectId) -> Vec<TrainView> {
        let lines = self.0.lines.all();
        let views = lines.iter().map(|line| {
            let mut state = line.state();
            TrainView {
                target: line.target.to_string(),
                node: None,
                window: Some(state.train.window().size()),
                cars: state.shown.clone(),
            }
        });
        views.filter(|view| view.cars.iter().any(|car| car.project == project)).collect()
    }

    /// Something changed that lines are planned by.
    pub(crate) fn replan_lines(&self) {
        self.0.lines.look_again();
    }
}
