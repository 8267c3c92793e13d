//! Methods for the members of a project.

use forge_api::{NewMember, Page, PageQuery, ProjectMember};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the members of a project.
    pub async fn fetch_members(
        &self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<ProjectMember>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/members");
        self.fetch(call.query(page)?).await
    }

    /// Adds a user to a project.
    pub async fn add_member(
        &self,
        project: Uuid,
        member: &NewMember,
    ) -> Result<ProjectMember, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/members");
        self.fetch(call.json(member)?).await
    }

    /// Removes a user from a project.
    pub async fn remove_member(&self, project: Uuid, user: Uuid) -> Result<(), ClientError> {
        let call = ApiCall::new(Method::DELETE, "/projects").id(project);
        self.perform(call.part("/members").id(user)).await
    }
}
