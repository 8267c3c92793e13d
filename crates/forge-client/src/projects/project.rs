//! Methods for projects.

use forge_api::{
    NewProject, Page, PageQuery, Project, ProjectPatch, ReplaceWorkflow, WorkflowView,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the projects that the caller may see.
    pub async fn fetch_projects(&self, page: &PageQuery) -> Result<Page<Project>, ClientError> {
        self.fetch(ApiCall::get("/projects").query(page)?).await
    }

    /// Fetches one project.
    pub async fn fetch_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(ApiCall::get("/projects").id(id)).await
    }

    /// Creates a project.
    pub async fn create_project(&self, project: &NewProject) -> Result<Project, ClientError> {
        self.fetch(ApiCall::post("/projects").json(project)?).await
    }

    /// Changes a project.
    pub async fn update_project(
        &self,
        id: Uuid,
        patch: &ProjectPatch,
    ) -> Result<Project, ClientError> {
        self.fetch(ApiCall::new(Method::PATCH, "/projects").id(id).json(patch)?).await
    }

    /// Pauses a project: agents cannot claim its tasks.
    pub async fn pause_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(ApiCall::post("/projects").id(id).part("/pause")).await
    }

    /// Resumes a paused project.
    pub async fn resume_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(ApiCall::post("/projects").id(id).part("/resume")).await
    }

    /// Replaces a project's workflow and moves its tasks to the new one.
    pub async fn replace_workflow(
        &self,
        id: Uuid,
        workflow: &ReplaceWorkflow,
    ) -> Result<Project, ClientError> {
        let call = ApiCall::new(Method::PUT, "/projects").id(id).part("/workflow");
        self.fetch(call.json(workflow)?).await
    }

    /// Fetches a project's workflow.
    pub async fn fetch_workflow(&self, id: Uuid) -> Result<WorkflowView, ClientError> {
        self.fetch(ApiCall::get("/projects").id(id).part("/workflow")).await
    }
}
