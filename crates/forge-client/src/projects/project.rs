//! Methods for projects.

use forge_api::{
    NewProject, Page, PageQuery, Project, ProjectPatch, RemovedProject, ReplaceWorkflow,
    WorkflowView,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about projects and their workflows.
#[derive(Debug, Clone, Copy)]
pub struct ProjectClient<'a>(pub(crate) &'a ApiClient);

impl ProjectClient<'_> {
    /// Lists the projects that the caller may see.
    pub async fn fetch_page(self, page: &PageQuery) -> Result<Page<Project>, ClientError> {
        self.0.fetch(ApiCall::get("/projects").query(page)?).await
    }

    /// Fetches one project.
    pub async fn fetch(self, id: Uuid) -> Result<Project, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(id)).await
    }

    /// Creates a project.
    pub async fn create(self, project: &NewProject) -> Result<Project, ClientError> {
        self.0.fetch(ApiCall::post("/projects").json(project)?).await
    }

    /// Changes a project.
    pub async fn update(self, id: Uuid, patch: &ProjectPatch) -> Result<Project, ClientError> {
        self.0.fetch(ApiCall::new(Method::PATCH, "/projects").id(id).json(patch)?).await
    }

    /// Removes a project; returns what stays in its repositories.
    pub async fn remove(self, id: Uuid) -> Result<RemovedProject, ClientError> {
        let call = ApiCall::new(Method::DELETE, "/projects").id(id);
        self.0.fetch(call.waits_for_work()).await
    }

    /// Pauses a project: agents cannot claim its tasks.
    pub async fn pause(self, id: Uuid) -> Result<Project, ClientError> {
        self.0.fetch(ApiCall::post("/projects").id(id).part("/pause")).await
    }

    /// Resumes a paused project.
    pub async fn resume(self, id: Uuid) -> Result<Project, ClientError> {
        self.0.fetch(ApiCall::post("/projects").id(id).part("/resume")).await
    }

    /// Replaces a project's workflow and moves its tasks to the new one.
    pub async fn replace_workflow(
        self,
        id: Uuid,
        workflow: &ReplaceWorkflow,
    ) -> Result<Project, ClientError> {
        let call = ApiCall::new(Method::PUT, "/projects").id(id).part("/workflow");
        self.0.fetch(call.json(workflow)?).await
    }

    /// Fetches a project's workflow.
    pub async fn fetch_workflow(self, id: Uuid) -> Result<WorkflowView, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(id).part("/workflow")).await
    }
}
