//! Repositories of a project.

use forge_api::{NewCredential, NewRepo, Page, PageQuery, Repo, RepoRemote, RepoRemotePatch};
use http::Method;
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

    /// Takes a repository from its project.
    pub async fn remove_repo(&self, project: Uuid, repo: Uuid) -> Result<(), ClientError> {
        self.perform(of_repo(Method::DELETE, project, repo)).await
    }

    /// How a repository is reached elsewhere.
    pub async fn fetch_repo_remote(
        &self,
        project: Uuid,
        repo: Uuid,
    ) -> Result<RepoRemote, ClientError> {
        self.fetch(of_repo(Method::GET, project, repo).part("/remote")).await
    }

    /// Changes how a repository is reached elsewhere.
    pub async fn change_repo_remote(
        &self,
        project: Uuid,
        repo: Uuid,
        patch: &RepoRemotePatch,
    ) -> Result<RepoRemote, ClientError> {
        self.fetch(of_repo(Method::PATCH, project, repo).part("/remote").json(patch)?).await
    }

    /// Gives a repository a token of its own.
    pub async fn put_repo_credential(
        &self,
        project: Uuid,
        repo: Uuid,
        credential: &NewCredential,
    ) -> Result<(), ClientError> {
        let call = of_repo(Method::PUT, project, repo).part("/credential");
        self.perform(call.json(credential)?).await
    }

    /// Takes a repository's token away.
    pub async fn remove_repo_credential(
        &self,
        project: Uuid,
        repo: Uuid,
    ) -> Result<(), ClientError> {
        self.perform(of_repo(Method::DELETE, project, repo).part("/credential")).await
    }
}

fn of_repo(method: Method, project: Uuid, repo: Uuid) -> Call {
    Call::new(method, "/projects").id(project).part("/repos").id(repo)
}
