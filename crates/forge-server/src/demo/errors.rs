//! Why there is no demonstration.

use std::path::PathBuf;

use forge_api::ErrorCode;
use forge_domain::ProjectId;
use forge_engine::EngineError;
use forge_store::StoreError;
use serde_json::json;

use crate::failure::Failure;
use crate::refusal::internal;

/// Why there is no demonstration.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoError {
    /// The project is somebody's real one.
    #[error("the project {0} is no demonstration; POST /demo makes one")]
    NotADemo(ProjectId),
    /// The disk said no.
    #[error("the directory {} cannot be made: {source}", path.display())]
    Directory { path: PathBuf, source: std::io::Error },
    /// The path is no text, and repositories are recorded as text.
    #[error("the data directory's path is not UTF-8; start the server with another --data-dir")]
    PathNotText,
    /// The shipped workflow does not fit the demonstration: a fault of this program.
    #[error("the workflow of the demonstration cannot be used: {0}")]
    Workflow(&'static str),
    /// The engine said no.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<StoreError> for DemoError {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<DemoError> for Failure {
    fn from(error: DemoError) -> Self {
        match error {
            DemoError::NotADemo(id) => Self::new(ErrorCode::NotFound, error.to_string())
                .with_details(json!({ "kind": "demo", "id": id })),
            DemoError::Engine(error) => error.into(),
            DemoError::Directory { .. } | DemoError::PathNotText | DemoError::Workflow(_) => {
                internal(&error.to_string())
            }
        }
    }
}
