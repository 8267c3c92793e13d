//! Merge trains, as users see them (M-13).

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::landing::train::MergeTrains;
use crate::nodes::data_directory::DataDirectory;
use forge_domain::train::TrialState;
use forge_domain::{ProjectId, TaskId};
use forge_store::Db;
use std::sync::Arc;

/// The train of one target.
#[derive(Debug, Clone)]
pub struct MergeTrainView {
    pub target: String,
    /// The node that runs it, if it is another one.
    pub node: Option<String>,
    /// Number of concurrent trials; `None` for another node's train.
    pub window: Option<usize>,
    /// The entries in landing order.
    pub entries: Vec<TrainEntryView>,
}

/// One entry of a train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainEntryView {
    pub task: TaskId,
    pub project: ProjectId,
    /// The state of its trial; `None` before the trial, and for another node's train.
    pub trial_state: Option<TrialState>,
    /// The commit being tested.
    pub commit: Option<String>,
}

/// Merge trains, as users see them.
#[derive(Debug, Clone)]
pub struct TrainViews {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) trains: MergeTrains,
}

impl TrainViews {
    /// The trains with tasks of this project: those of this node with all their entries, then those of other nodes.
    pub async fn trains_of(&self, project: ProjectId) -> Result<Vec<MergeTrainView>, EngineError> {
        let mut trains = self.local_trains(project);
        trains.extend(self.load_remote_trains(project).await?);
        Ok(trains)
    }

    fn local_trains(&self, project: ProjectId) -> Vec<MergeTrainView> {
        let trains = self.trains.all();
        let views = trains.iter().map(|train| {
            let mut state = train.state();
            MergeTrainView {
                target: train.target.to_string(),
                node: None,
                window: Some(state.planner.window().size()),
                entries: state.views.clone(),
            }
        });
        views.filter(|view| view.entries.iter().any(|entry| entry.project == project)).collect()
    }
}
