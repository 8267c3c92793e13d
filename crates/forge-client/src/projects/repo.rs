//! Methods for the repositories of a project.

use forge_api::{
    NewCredential, NewRepo, Page, PageQuery, Repo, RepoConfig, RepoRemote, RepoRemotePatch,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the repositories of a project.
#[derive(Debug, Clone, Copy)]
pub struct RepoClient<'a>(pub(crate) &'a ApiClient);

impl RepoClient<'_> {
    /// Lists the repositories of a project.
    pub async fn fetch_page(
        self,
        project: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Repo>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/repos");
        self.0.fetch(call.query(page)?).await
    }

    /// Adds a repository; the server clones a remote one before it answers.
    pub async fn add(self, project: Uuid, repo: &NewRepo) -> Result<Repo, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/repos");
        self.0.fetch(call.json(repo)?.waits_for_work()).await
    }

    /// Removes a repository from its project.
    pub async fn remove(self, project: Uuid, repo: Uuid) -> Result<(), ClientError> {
        self.0.perform(of_repo(Method::DELETE, project, repo)).await
    }

    /// Fetches how a repository's git settings differ from the server's copy.
    pub async fn fetch_config(self, project: Uuid, repo: Uuid) -> Result<RepoConfig, ClientError> {
        self.0.fetch(of_repo(Method::GET, project, repo).part("/config")).await
    }

    /// Accepts the current git settings of a repository; returns the accepted changes.
    pub async fn accept_config(self, project: Uuid, repo: Uuid) -> Result<RepoConfig, ClientError> {
        self.0.fetch(of_repo(Method::POST, project, repo).part("/config/accept")).await
    }

    /// Fetches the remote of a repository.
    pub async fn fetch_remote(self, project: Uuid, repo: Uuid) -> Result<RepoRemote, ClientError> {
        self.0.fetch(of_repo(Method::GET, project, repo).part("/remote")).await
    }

    /// Changes the remote of a repository.
    pub async fn change_remote(
        self,
        project: Uuid,
        repo: Uuid,
        patch: &RepoRemotePatch,
    ) -> Result<RepoRemote, ClientError> {
        self.0.fetch(of_repo(Method::PATCH, project, repo).part("/remote").json(patch)?).await
    }

    /// Sets the token of a repository.
    pub async fn put_credential(
        self,
        project: Uuid,
        repo: Uuid,
        credential: &NewCredential,
    ) -> Result<(), ClientError> {
        let call = of_repo(Method::PUT, project, repo).part("/credential");
        self.0.perform(call.json(credential)?).await
    }

    /// Removes the token of a repository.
    pub async fn remove_credential(self, project: Uuid, repo: Uuid) -> Result<(), ClientError> {
        self.0.perform(of_repo(Method::DELETE, project, repo).part("/credential")).await
    }
}

fn of_repo(method: Method, project: Uuid, repo: Uuid) -> ApiCall {
    ApiCall::new(method, "/projects").id(project).part("/repos").id(repo)
}
