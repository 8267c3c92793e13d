//! Methods for tasks and the actions on them.

use forge_api::{
    AcceptLanded, ActionView, AssignRole, CancelRequest, ClaimRequest, ClaimResponse, CompleteTask,
    EffectView, Execution, NeedsPerson, NeedsPersonQuery, NewHandoff, NewRegression, NewTask, Page,
    PageQuery, PromptQuery, RebaseTask, RebasedTask, Review, SuccessorTask, Task, TaskPatch,
    TaskPrompt, TaskQuery, TaskWaiting, Transition, TransitionRequest, TransitionResponse,
    WorkOverview, WorkOverviewQuery,
};
use http::header::HeaderName;
use http::{HeaderValue, Method};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

const PREFER: HeaderName = HeaderName::from_static("prefer");

/// What the answer to a transition waits for (SPEC T-9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionWait {
    /// The end of the checks or the landing.
    UntilDone,
    /// Only the recording of the move.
    UntilRecorded,
}

impl TransitionWait {
    fn apply(self, call: ApiCall) -> ApiCall {
        match self {
            Self::UntilDone => call.waits_for_work(),
            Self::UntilRecorded => call.header(PREFER, HeaderValue::from_static("respond-async")),
        }
    }
}

/// Sends the calls about tasks and the actions on them.
#[derive(Debug, Clone, Copy)]
pub struct TaskClient<'a>(pub(crate) &'a ApiClient);

impl TaskClient<'_> {
    /// Lists the tasks of a project.
    pub async fn fetch_page(
        self,
        project: Uuid,
        query: &TaskQuery,
    ) -> Result<Page<Task>, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/tasks");
        self.0.fetch(call.query(query)?).await
    }

    /// Fetches one task.
    pub async fn fetch(self, id: Uuid) -> Result<Task, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(id)).await
    }

    /// Fetches the task of a project with this number (`T-number`).
    pub async fn fetch_by_number(self, project: Uuid, number: u64) -> Result<Task, ClientError> {
        let call = ApiCall::get("/projects").id(project).part("/tasks/by-number");
        self.0.fetch(call.name(&number.to_string())).await
    }

    /// Creates a task.
    pub async fn create(self, project: Uuid, task: &NewTask) -> Result<Task, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/tasks");
        self.0.fetch(call.json(task)?).await
    }

    /// Changes a task's own fields.
    pub async fn update(self, id: Uuid, patch: &TaskPatch) -> Result<Task, ClientError> {
        self.0.fetch(ApiCall::new(Method::PATCH, "/tasks").id(id).json(patch)?).await
    }

    /// Claims a task.
    pub async fn claim(self, id: Uuid, claim: &ClaimRequest) -> Result<ClaimResponse, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/claim");
        self.0.fetch(call.json(claim)?.waits_for_work()).await
    }

    /// Moves a task to another state.
    pub async fn move_to(
        self,
        id: Uuid,
        request: &TransitionRequest,
        waiting: TransitionWait,
    ) -> Result<TransitionResponse, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/transition").json(request)?;
        self.0.fetch(waiting.apply(call)).await
    }

    /// Hands in the work on a task.
    pub async fn complete(
        self,
        id: Uuid,
        request: &CompleteTask,
        waiting: TransitionWait,
    ) -> Result<TransitionResponse, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/complete").json(request)?;
        self.0.fetch(waiting.apply(call)).await
    }

    /// Deletes a task on which no work was done.
    pub async fn delete(self, id: Uuid) -> Result<(), ClientError> {
        self.0.perform(ApiCall::new(Method::DELETE, "/tasks").id(id)).await
    }

    /// Cancels a task; its processes are gone when the answer arrives.
    pub async fn cancel(self, id: Uuid, cancel: &CancelRequest) -> Result<Task, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/cancel");
        self.0.fetch(call.json(cancel)?.waits_for_work()).await
    }

    /// Hands off a task to the next agent or user; its processes are gone when the answer arrives.
    pub async fn hand_off(self, id: Uuid, note: &NewHandoff) -> Result<Task, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/handoff");
        self.0.fetch(call.json(note)?.waits_for_work()).await
    }

    /// Merges the target into a task's branch and sends it back to work.
    pub async fn rebase(self, id: Uuid, asked: &RebaseTask) -> Result<RebasedTask, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/rebase");
        self.0.fetch(call.json(asked)?.waits_for_work()).await
    }

    /// Accepts work that landed outside Forge as landed.
    pub async fn accept_landed(self, id: Uuid, asked: &AcceptLanded) -> Result<Task, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/accept-landed");
        self.0.fetch(call.json(asked)?.waits_for_work()).await
    }

    /// Creates a task that reverts what a task landed.
    pub async fn revert(self, id: Uuid) -> Result<SuccessorTask, ClientError> {
        self.0.fetch(ApiCall::post("/tasks").id(id).part("/revert").waits_for_work()).await
    }

    /// Reports that what a task landed broke something.
    pub async fn report_regression(
        self,
        id: Uuid,
        asked: &NewRegression,
    ) -> Result<SuccessorTask, ClientError> {
        self.0.fetch(ApiCall::post("/tasks").id(id).part("/regressed").json(asked)?).await
    }

    /// Archives a task, which hides it from lists.
    pub async fn archive(self, id: Uuid) -> Result<Task, ClientError> {
        self.0.fetch(ApiCall::post("/tasks").id(id).part("/archive")).await
    }

    /// Takes a task out of the archive.
    pub async fn unarchive(self, id: Uuid) -> Result<Task, ClientError> {
        self.0.fetch(ApiCall::post("/tasks").id(id).part("/unarchive")).await
    }

    /// Assigns a role to an agent or a user.
    pub async fn assign_role(
        self,
        id: Uuid,
        role: &str,
        request: &AssignRole,
    ) -> Result<Task, ClientError> {
        let call = ApiCall::post("/tasks").id(id).part("/roles").name(role);
        self.0.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Fetches the prompt that a role would get now.
    pub async fn fetch_prompt(
        self,
        id: Uuid,
        query: &PromptQuery,
    ) -> Result<TaskPrompt, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(id).part("/prompt").query(query)?).await
    }

    /// Fetches the actions that the caller can perform now.
    pub async fn fetch_actions(self, id: Uuid) -> Result<Page<ActionView>, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(id).part("/actions")).await
    }

    /// Performs an action of [`TaskClient::fetch_actions`] with these parameters and returns the server's answer. A
    /// move is only recorded; every other action waits for its work.
    pub async fn perform(
        self,
        action: &ActionView,
        parameters: &Map<String, Value>,
    ) -> Result<Value, ClientError> {
        let mut call = ApiCall::action(action)?.json(parameters)?;
        if action.target.is_some() {
            call = call.header(PREFER, HeaderValue::from_static("respond-async"));
        }
        self.0.fetch(call).await
    }

    /// Lists the status changes of a task.
    pub async fn fetch_transitions(
        self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Transition>, ClientError> {
        self.fetch_list(id, "/transitions", page).await
    }

    /// Lists the effects of a task.
    pub async fn fetch_effects(
        self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<EffectView>, ClientError> {
        self.fetch_list(id, "/effects", page).await
    }

    /// Lists the reviews of a task.
    pub async fn fetch_reviews(
        self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Review>, ClientError> {
        self.fetch_list(id, "/reviews", page).await
    }

    /// Lists the executions of a task.
    pub async fn fetch_executions(
        self,
        id: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Execution>, ClientError> {
        self.fetch_list(id, "/executions", page).await
    }

    /// Fetches what a task waits for.
    pub async fn fetch_wait(self, task: Uuid) -> Result<TaskWaiting, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(task).part("/why")).await
    }

    /// Lists the subtasks of a task: ordered turns first, in their order.
    pub async fn fetch_subtasks(
        self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Task>, ClientError> {
        self.fetch_list(task, "/subtasks", page).await
    }

    /// Fetches the overview of all projects.
    pub async fn fetch_overview(
        self,
        query: &WorkOverviewQuery,
    ) -> Result<WorkOverview, ClientError> {
        self.0.fetch(ApiCall::get("/status").query(query)?).await
    }

    /// Lists the tasks that wait for a person, longest wait first.
    pub async fn fetch_needs_person(
        self,
        query: &NeedsPersonQuery,
    ) -> Result<Page<NeedsPerson>, ClientError> {
        self.0.fetch(ApiCall::get("/needs-person").query(query)?).await
    }

    /// Fetches one of the lists that belong to a task.
    pub(crate) async fn fetch_list<T: DeserializeOwned>(
        self,
        id: Uuid,
        part: &'static str,
        page: &PageQuery,
    ) -> Result<Page<T>, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(id).part(part).query(page)?).await
    }
}
