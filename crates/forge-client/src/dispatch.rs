//! Giving tasks to agents by themselves, and why a task waits.

use forge_api::{Dispatch, TaskWaiting};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Why a task is not given to an agent yet.
    pub async fn fetch_why(&self, task: Uuid) -> Result<TaskWaiting, ClientError> {
        self.fetch(Call::get("/tasks").id(task).part("/why")).await
    }

    /// The tasks of a project that wait for an agent, the first in line first.
    pub async fn fetch_waiting(&self, project: Uuid) -> Result<Vec<TaskWaiting>, ClientError> {
        self.fetch(Call::get("/projects").id(project).part("/waiting")).await
    }

    /// How giving out tasks stands.
    pub async fn fetch_dispatch(&self) -> Result<Dispatch, ClientError> {
        self.fetch(Call::get("/system/dispatch")).await
    }

    /// Pauses giving out tasks as a whole.
    pub async fn pause_dispatch(&self) -> Result<Dispatch, ClientError> {
        self.fetch(Call::post("/system/dispatch/pause")).await
    }

    /// Resumes it.
    pub async fn resume_dispatch(&self) -> Result<Dispatch, ClientError> {
        self.fetch(Call::post("/system/dispatch/resume")).await
    }
}
