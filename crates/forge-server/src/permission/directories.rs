//! Permission to name directories of the server's machine (S-6).

use std::path::{Path, PathBuf};

use forge_api::{ErrorCode, ProjectSettings};
use forge_engine::ProjectBoundary;
use serde_json::json;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;

impl Caller {
    /// Refuses a directory outside those that the settings open to members. The answer does not reveal whether it
    /// exists.
    pub(crate) async fn require_directory(
        &self,
        app: &AppState,
        path: &Path,
    ) -> Result<(), ApiError> {
        if self.require_admin().is_ok() {
            return Ok(());
        }
        let path = path.to_owned();
        self.require_all(app, move || ProjectBoundary::directories_of(&path)).await
    }

    /// The same check for a `file://` address.
    pub(crate) async fn require_file_url(&self, app: &AppState, url: &str) -> Result<(), ApiError> {
        if self.require_admin().is_ok() || !url.starts_with("file:") {
            return Ok(());
        }
        let url = url.to_owned();
        self.require_all(app, move || ProjectBoundary::directories_of_url(&url)).await
    }

    /// The same check for the plain directory in a project's settings.
    pub(crate) async fn require_plain_directory(
        &self,
        app: &AppState,
        before: Option<&ProjectSettings>,
        asked: &ProjectSettings,
    ) -> Result<(), ApiError> {
        let known = before.and_then(|before| before.directory.as_ref());
        match &asked.directory {
            Some(path) if Some(path) != known => self.require_directory(app, Path::new(path)).await,
            _ => Ok(()),
        }
    }

    async fn require_all(
        &self,
        app: &AppState,
        directories: impl FnOnce() -> Vec<PathBuf> + Send + 'static,
    ) -> Result<(), ApiError> {
        let roots = app.settings.member_directories.clone();
        let allowed = tokio::task::spawn_blocking(move || {
            let roots: Vec<_> = roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
            let found = directories();
            let below = |path: &PathBuf| roots.iter().any(|root| path.starts_with(root));
            !found.is_empty() && found.iter().all(below)
        });
        if allowed.await.unwrap_or(false) {
            return Ok(());
        }
        let roots: Vec<_> =
            app.settings.member_directories.iter().map(|root| root.display().to_string()).collect();
        let message = match roots.as_slice() {
            [] => {
                "Only an admin can use directories of the server's machine. Ask an admin to add it."
                    .to_owned()
            }
            roots => format!(
                "Members can use directories of the server's machine only below {}. Ask an admin to add this one.",
                roots.join(", ")
            ),
        };
        let details = json!({ "permission": "name_directories", "below": roots });
        Err(ApiError::new(ErrorCode::Forbidden, message).with_details(details))
    }
}
