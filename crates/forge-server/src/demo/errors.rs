//! Errors of a demonstration.

use std::path::PathBuf;

use forge_api::ErrorCode;
use forge_domain::ProjectId;
use forge_engine::EngineError;
use forge_store::StoreError;
use serde_json::json;

use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;

/// Why a demonstration failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DemoError {
    /// The project is not a demonstration.
    #[error("the project {0} is not a demonstration; create one with POST /demo")]
    NotADemo(ProjectId),
    /// A directory could not be created or written.
    #[error("cannot create the directory {}: {source}", path.display())]
    Directory { path: PathBuf, source: std::io::Error },
    /// The path is not valid UTF-8, and repositories are stored as text.
    #[error("the data directory's path is not UTF-8; start the server with another --data-dir")]
    PathNotText,
    /// The built-in workflow does not fit the demonstration: a bug in Forge.
    #[error("the workflow of the demonstration cannot be used: {0}")]
    Workflow(&'static str),
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl From<StoreError> for DemoError {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<DemoError> for ApiError {
    fn from(error: DemoError) -> Self {
        match error {
            DemoError::NotADemo(id) => Self::new(ErrorCode::NotFound, error.to_string())
                .with_details(json!({ "kind": "demo", "id": id })),
            DemoError::Engine(error) => error.into(),
            DemoError::Directory { .. } | DemoError::PathNotText | DemoError::Workflow(_) => {
                internal_error(&error.to_string())
            }
        }
    }
}
