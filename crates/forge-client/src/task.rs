//! Tasks: what they are and what can be done with them.

use forge_api::{
    Action, AssignRole, Cancel, Claim, Claimed, Execution, NewHandoff, NewRegression, NewTask,
    Page, PageQuery, PromptQuery, RebaseTask, RebasedTask, Review, Step, SuccessorTask, Task,
    TaskPatch, TaskPrompt, TaskQuery, Transition, TransitionAnswer, TransitionRequest,
};
use http::header::HeaderName;
use http::{HeaderValue, Method};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

const PREFER: HeaderName = HeaderName::from_static("prefer");

/// What a transition's answer waits for (SPEC T-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Until the checks have run or the branch has landed.
    ForWork,
    /// Only until the move is recorded.
    ForRecord,
}

impl Client {
    /// Tasks of a project.
    pub async fn fetch_tasks(
        &self,
        project: Uuid,
        query: &TaskQuery,
    ) -> Result<Page<Task>, ClientError> {
        let call = Call::get("/projects").id(project).part("/tasks");
        self.fetch(call.query(query)?).await
    }

    /// One task.
    pub async fn fetch_task(&self, id: Uuid) -> Result<Task, ClientError> {
        self.fetch(Call::get("/tasks").id(id)).await
    }

    /// The task of a project that people call `T-number`.
    pub async fn fetch_numbered_task(
        &self,
        project: Uuid,
        number: u64,
    ) -> Result<Task, ClientError> {
        let call = Call::get("/projects").id(project).part("/tasks/by-number");
        self.fetch(call.name(&number.to_string())).await
    }

    /// Creates a task.
    pub async fn create_task(&self, project: Uuid, task: &NewTask) -> Result<Task, ClientError> {
        let call = Call::post("/projects").id(project).part("/tasks");
        self.fetch(call.json(task)?).await
    }

    /// Changes a task's own fields.
    pub async fn update_task(&self, id: Uuid, patch: &TaskPatch) -> Result<Task, ClientError> {
        self.fetch(Call::new(Method::PATCH, "/tasks").id(id).json(patch)?).await
    }

    /// Claims a task.
    pub async fn claim_task(&self, id: Uuid, claim: &Claim) -> Result<Claimed, ClientError> {
        let call = Call::post("/tasks").id(id).part("/claim");
        self.fetch(call.json(claim)?.waits_for_work()).await
    }

    /// Moves a task to another state.
    pub async fn move_task(
        &self,
        id: Uuid,
        request: &TransitionRequest,
        waiting: Waiting,
    ) -> Result<TransitionAnswer, ClientError> {
        let call = Call::post("/tasks").id(id).part("/transition").json(request)?;
        let call = match waiting {
            Waiting::ForWork => call.waits_for_work(),
            Waiting::ForRecord => call.header(PREFER, HeaderValue::from_static("respond-async")),
        };
        self.fetch(call).await
    }

    /// Ends a task; its processes are gone before the answer.
    pub async fn cancel_task(&self, id: Uuid, cancel: &Cancel) -> Result<Task, ClientError> {
        let call = Call::post("/tasks").id(id).part("/cancel");
        self.fetch(call.json(cancel)?.waits_for_work()).await
    }

    /// Lets go of a task for whoever takes it next; its processes are gone before the answer.
    pub async fn hand_off_task(&self, id: Uuid, note: &NewHandoff) -> Result<Task, ClientError> {
        let call = Call::post("/tasks").id(id).part("/handoff");
        self.fetch(call.json(note)?.waits_for_work()).await
    }

    /// Merges the target into a task's branch and sends it back to work.
    pub async fn rebase_task(
        &self,
        id: Uuid,
        asked: &RebaseTask,
    ) -> Result<RebasedTask, ClientError> {
        let call = Call::post("/tasks").id(id).part("/rebase");
        self.fetch(call.json(asked)?.waits_for_work()).await
    }

    /// Takes back what a task landed.
    pub async fn revert_task(&self, id: Uuid) -> Result<SuccessorTask, ClientError> {
        self.fetch(Call::post("/tasks").id(id).part("/revert").waits_for_work()).await
    }

    /// Says that what a task landed broke something.
    pub async fn report_regression(
        &self,
        id: Uuid,
        asked: &NewRegression,
    ) -> Result<SuccessorTask, ClientError> {
        self.fetch(Call::post("/tasks").id(id).part("/regressed").json(asked)?).await
    }

    /// Hides a task from lists.
    pub async fn archive_task(&self, id: Uuid) -> Result<Task, ClientError> {
        self.fetch(Call::post("/tasks").id(id).part("/archive")).await
    }

    /// Shows an archived task in lists again.
    pub async fn unarchive_task(&self, id: Uuid) -> Result<Task, ClientError> {
        self.fetch(Call::post("/tasks").id(id).part("/unarchive")).await
    }

    /// Gives a role to an agent or a user.
    pub async fn assign_role(
        &self,
        id: Uuid,
        role: &str,
        request: &AssignRole,
    ) -> Result<Task, ClientError> {
        let call = Call::post("/tasks").id(id).part("/roles").name(role);
        self.fetch(call.json(request)?.waits_for_work()).await
    }

    /// What a role would be told about it now.
    pub async fn fetch_prompt(
        &self,
        id: Uuid,
        query: &PromptQuery,
    ) -> Result<TaskPrompt, ClientError> {
        self.fetch(Call::get("/tasks").id(id).part("/prompt").query(query)?).await
    }

    /// What the caller can do with it now.
    pub async fn fetch_actions(&self, id: Uuid) -> Result<Page<Action>, ClientError> {
        self.fetch(Call::get("/tasks").id(id).part("/actions")).await
    }

    /// Its history.
    pub async fn fetch_transitions(
        &self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Transition>, ClientError> {
        self.fetch_part(id, "/transitions", page).await
    }

    /// What the engine did, does and still has to do for it.
    pub async fn fetch_steps(&self, id: Uuid, page: &PageQuery) -> Result<Page<Step>, ClientError> {
        self.fetch_part(id, "/steps", page).await
    }

    /// Its attempts at gates.
    pub async fn fetch_reviews(
        &self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Review>, ClientError> {
        self.fetch_part(id, "/reviews", page).await
    }

    /// Its runs.
    pub async fn fetch_executions(
        &self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Execution>, ClientError> {
        self.fetch_part(id, "/executions", page).await
    }

    /// One of the lists that belong to a task.
    pub(crate) async fn fetch_part<T: DeserializeOwned>(
        &self,
        id: Uuid,
        part: &'static str,
        page: &PageQuery,
    ) -> Result<Page<T>, ClientError> {
        self.fetch(Call::get("/tasks").id(id).part(part).query(page)?).await
    }
}
