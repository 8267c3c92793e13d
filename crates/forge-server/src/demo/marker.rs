//! How a demonstration is told from a project that somebody works on: by its settings' metadata.

use std::collections::BTreeMap;

use forge_domain::AgentId;
use forge_domain::task::Snapshot;
use forge_store::tables::projects::Project;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Kept in the project's settings: enough to go on after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Marker {
    /// Always true.
    pub(super) demo: bool,
    /// Where the repository is.
    pub(super) repo_path: String,
    /// The agents, by the name of their part.
    pub(super) agents: BTreeMap<String, AgentId>,
}

impl Marker {
    /// The marker of a project, if it is a demonstration.
    pub(super) fn of(project: &Project) -> Option<Self> {
        let metadata = project.settings.get("metadata")?;
        let marker: Self = serde_json::from_value(metadata.clone()).ok()?;
        marker.demo.then_some(marker)
    }

    /// As the settings hold it.
    pub(super) fn into_metadata(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            // Strings and ids always make an object.
            Ok(_) | Err(_) => Map::new(),
        }
    }
}

const SCENE: &str = "demo_scene";

/// What a task of the story carries, to be found again under any title.
pub(super) fn scene_metadata(name: &str) -> Map<String, Value> {
    Map::from_iter([(SCENE.to_owned(), Value::from(name))])
}

/// Which part of the story a task is.
pub(super) fn scene_of(task: &Snapshot) -> Option<&str> {
    task.metadata.get(SCENE).and_then(Value::as_str)
}
