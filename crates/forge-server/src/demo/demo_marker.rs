//! The marker of a demonstration in a project's settings.

use std::collections::BTreeMap;

use forge_domain::AgentId;
use forge_domain::task::TaskSnapshot;
use forge_store::tables::projects::ProjectRow;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Stored in the metadata of the project's settings; enough to continue after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DemoMarker {
    /// Always `true`, to recognise the marker.
    pub(crate) demo: bool,
    /// Path of the repository.
    pub(crate) repo_path: String,
    /// The agents, by the name of their part.
    pub(crate) agents: BTreeMap<String, AgentId>,
}

impl DemoMarker {
    /// The marker of a project, if it is a demonstration.
    pub(crate) fn of(project: &ProjectRow) -> Option<Self> {
        let metadata = project.settings.or_defaults().metadata.clone();
        let marker: Self = serde_json::from_value(Value::Object(metadata)).ok()?;
        marker.demo.then_some(marker)
    }

    /// The metadata that holds the marker.
    pub(crate) fn into_metadata(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            // Strings and ids always serialize to an object.
            Ok(_) | Err(_) => Map::new(),
        }
    }
}

const SCENE: &str = "demo_scene";

/// Metadata of a scene's task, to find it again under any title.
pub(crate) fn scene_metadata(name: &str) -> Map<String, Value> {
    Map::from_iter([(SCENE.to_owned(), Value::from(name))])
}

/// The scene of a task.
pub(crate) fn scene_of(task: &TaskSnapshot) -> Option<&str> {
    task.metadata.get(SCENE).and_then(Value::as_str)
}
