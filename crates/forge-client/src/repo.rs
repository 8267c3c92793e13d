//! Repositories of a project.

use forge_api::{NewRepo, Page, PageQuery, Repo};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// A project's repositories.
    pub async fn fetch_repos(
        &self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Repo>, ClientError> {
        let call = Call::get("/projects").id(project).part("/repos");
        self.fetch(call.query(page)?).await
    }

    /// Adds a repository; a remote one is cloned before the answer.
    pub async fn add_repo(&self, project: Uuid, repo: &NewRepo) -> Result<Repo, ClientError> {
        let call = Call::post("/projects").id(project).part("/repos");
        self.fetch(call.json(repo)?.waits_for_work()).await
    }
}
