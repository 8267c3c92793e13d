//! Methods for automatic dispatch, and why a task waits.

use forge_api::{DispatchStatus, TaskWaiting};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Fetches what a task waits for.
    pub async fn fetch_task_wait(&self, task: Uuid) -> Result<TaskWaiting, ClientError> {
        self.fetch(ApiCall::get("/tasks").id(task).part("/why")).await
    }

    /// Lists the tasks of a project that wait for an agent, next in line first.
    pub async fn fetch_waiting_tasks(
        &self,
        project: Uuid,
    ) -> Result<Vec<TaskWaiting>, ClientError> {
        self.fetch(ApiCall::get("/projects").id(project).part("/waiting")).await
    }

    /// Fetches the state of dispatch.
    pub async fn fetch_dispatch(&self) -> Result<DispatchStatus, ClientError> {
        self.fetch(ApiCall::get("/system/dispatch")).await
    }

    /// Pauses dispatch on the server.
    pub async fn pause_dispatch(&self) -> Result<DispatchStatus, ClientError> {
        self.fetch(ApiCall::post("/system/dispatch/pause")).await
    }

    /// Resumes dispatch on the server.
    pub async fn resume_dispatch(&self) -> Result<DispatchStatus, ClientError> {
        self.fetch(ApiCall::post("/system/dispatch/resume")).await
    }
}
