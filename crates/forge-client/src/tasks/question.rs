//! Methods for questions.

use forge_api::{NewAnswer, NewQuestion, Page, PageQuery, Question, QuestionQuery};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the questions of a task.
#[derive(Debug, Clone, Copy)]
pub struct QuestionClient<'a>(pub(crate) &'a ApiClient);

impl QuestionClient<'_> {
    /// Lists the questions of a task.
    pub async fn fetch_page(
        self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Question>, ClientError> {
        self.0.tasks().fetch_list(task, "/questions", page).await
    }

    /// Asks a question.
    pub async fn ask(self, task: Uuid, question: &NewQuestion) -> Result<Question, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/questions");
        self.0.fetch(call.json(question)?).await
    }

    /// Fetches a question; waits while it is open, for the time of the query.
    pub async fn fetch(
        self,
        task: Uuid,
        number: u32,
        query: &QuestionQuery,
    ) -> Result<Question, ClientError> {
        let call = ApiCall::get("/tasks").id(task).part("/questions").name(&number.to_string());
        self.0.fetch(call.query(query)?.waits_for_work()).await
    }

    /// Answers a question.
    pub async fn answer(
        self,
        task: Uuid,
        number: u32,
        answer: &NewAnswer,
    ) -> Result<Question, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/questions").name(&number.to_string());
        self.0.fetch(call.part("/answer").json(answer)?).await
    }

    /// Confirms that the awaited answer has arrived.
    pub async fn confirm(self, task: Uuid, number: u32) -> Result<Question, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/questions").name(&number.to_string());
        self.0.fetch(call.part("/confirm")).await
    }
}
