//! Methods for the members of a project.

use forge_api::{NewMember, Page, PageQuery, ProjectMember};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the members of a project.
#[derive(Debug, Clone, Copy)]
pub struct MemberClient<'a>(pub(crate) &'a ApiClient);

impl MemberClient<'_> {
    /// Lists the members of a project.
    pub async fn fetch_page(
        self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<ProjectMember>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/members");
        self.0.fetch(call.query(page)?).await
    }

    /// Adds a user to a project.
    pub async fn add(
        self,
        project: Uuid,
        member: &NewMember,
    ) -> Result<ProjectMember, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/members");
        self.0.fetch(call.json(member)?).await
    }

    /// Removes a user from a project.
    pub async fn remove(self, project: Uuid, user: Uuid) -> Result<(), ClientError> {
        let call = ApiCall::new(Method::DELETE, "/projects").id(project);
        self.0.perform(call.part("/members").id(user)).await
    }
}
