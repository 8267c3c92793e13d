//! Projects.

use forge_api::{
    NewProject, Page, PageQuery, Project, ProjectPatch, ReplaceWorkflow, WorkflowView,
};
use http::Method;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// The projects the caller may see.
    pub async fn fetch_projects(&self, page: &PageQuery) -> Result<Page<Project>, ClientError> {
        self.fetch(Call::get("/projects").query(page)?).await
    }

    /// One project.
    pub async fn fetch_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(Call::get("/projects").id(id)).await
    }

    /// Creates a project.
    pub async fn create_project(&self, project: &NewProject) -> Result<Project, ClientError> {
        self.fetch(Call::post("/projects").json(project)?).await
    }

    /// Changes a project.
    pub async fn update_project(
        &self,
        id: Uuid,
        patch: &ProjectPatch,
    ) -> Result<Project, ClientError> {
        self.fetch(Call::new(Method::PATCH, "/projects").id(id).json(patch)?).await
    }

    /// Keeps agents from claiming in it.
    pub async fn pause_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(Call::post("/projects").id(id).part("/pause")).await
    }

    /// Lets agents claim again.
    pub async fn resume_project(&self, id: Uuid) -> Result<Project, ClientError> {
        self.fetch(Call::post("/projects").id(id).part("/resume")).await
    }

    /// Puts another workflow in the place of a project's own, and takes its tasks along.
    pub async fn replace_workflow(
        &self,
        id: Uuid,
        workflow: &ReplaceWorkflow,
    ) -> Result<Project, ClientError> {
        let call = Call::new(Method::PUT, "/projects").id(id).part("/workflow");
        self.fetch(call.json(workflow)?).await
    }

    /// A project's workflow.
    pub async fn fetch_workflow(&self, id: Uuid) -> Result<WorkflowView, ClientError> {
        self.fetch(Call::get("/projects").id(id).part("/workflow")).await
    }
}
