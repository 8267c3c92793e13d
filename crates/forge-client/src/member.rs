//! Who works in a project.

use forge_api::{Member, NewMember, Page, PageQuery};
use http::Method;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// A project's members.
    pub async fn fetch_members(
        &self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Member>, ClientError> {
        let call = Call::get("/projects").id(project).part("/members");
        self.fetch(call.query(page)?).await
    }

    /// Makes a person a member of a project.
    pub async fn add_member(
        &self,
        project: Uuid,
        member: &NewMember,
    ) -> Result<Member, ClientError> {
        let call = Call::post("/projects").id(project).part("/members");
        self.fetch(call.json(member)?).await
    }

    /// Ends a person's membership.
    pub async fn remove_member(&self, project: Uuid, user: Uuid) -> Result<(), ClientError> {
        let call = Call::new(Method::DELETE, "/projects").id(project);
        self.perform(call.part("/members").id(user)).await
    }
}
