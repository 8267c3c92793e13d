//! The client: sends calls and reads answers.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use forge_api::{ErrorBody, SecretString};
use forge_http::{Connections, EncryptionSettings, open_connections};
use http::header::HeaderName;
use http::{HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde::de::DeserializeOwned;

use crate::accounts::{AccountClient, TokenClient, UserClient};
use crate::admin::{AgentClient, DemoClient, DispatchClient, SystemClient};
use crate::api_call::ApiCall;
use crate::credential::ClientCredential;
use crate::error::ClientError;
use crate::event::EventClient;
use crate::executions::{ExecutionClient, UsageClient};
use crate::landing::{CheckClient, ConflictClient, MergeTrainClient, ReviewClient};
use crate::mcp::McpClient;
use crate::projects::{MemberClient, ProjectClient, RepoClient, WebhookClient};
use crate::server_url::ServerUrl;
use crate::tasks::{CommentClient, DependencyClient, QuestionClient, TaskClient};
use crate::workspaces::{JournalClient, WorkspaceClient};

/// Larger answers do not come from a Forge server.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;

/// A client for one server and one caller. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct ApiClient {
    url: ServerUrl,
    credential: Option<ClientCredential>,
    connections: Connections,
    answer_time: Option<Duration>,
}

impl fmt::Debug for ApiClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("url", &self.url)
            .field("signed_in", &self.credential.is_some())
            .finish_non_exhaustive()
    }
}

impl ApiClient {
    /// Creates a client; it connects with the first call.
    pub fn new(url: ServerUrl, token: Option<&SecretString>) -> Result<Self, ClientError> {
        let credential = token.map(ClientCredential::token).transpose()?;
        let encryption = match url.is_https() {
            true => EncryptionSettings::verified()
                .map_err(|error| ClientError::NoCertificates(error.to_string()))?,
            // Not loading the machine's certificates saves milliseconds.
            false => EncryptionSettings::plain(),
        };
        let connections = open_connections(encryption);
        Ok(Self { url, credential, connections, answer_time: None })
    }

    /// Address of the server.
    pub fn url(&self) -> &ServerUrl {
        &self.url
    }

    /// Changes the time limit of calls that do not wait for work.
    #[must_use]
    pub fn with_answer_time(self, time: Duration) -> Self {
        Self { answer_time: Some(time), ..self }
    }

    /// Whether calls carry a token or session.
    pub fn has_credential(&self) -> bool {
        self.credential.is_some()
    }

    /// Returns the client for the account of the caller.
    pub fn accounts(&self) -> AccountClient<'_> {
        AccountClient(self)
    }

    /// Returns the client for agents.
    pub fn agents(&self) -> AgentClient<'_> {
        AgentClient(self)
    }

    /// Returns the client for the checks of a project.
    pub fn checks(&self) -> CheckClient<'_> {
        CheckClient(self)
    }

    /// Returns the client for the comments of a task.
    pub fn comments(&self) -> CommentClient<'_> {
        CommentClient(self)
    }

    /// Returns the client for conflicts between live branches.
    pub fn conflicts(&self) -> ConflictClient<'_> {
        ConflictClient(self)
    }

    /// Returns the client for the demonstration.
    pub fn demo(&self) -> DemoClient<'_> {
        DemoClient(self)
    }

    /// Returns the client for dependencies between tasks.
    pub fn dependencies(&self) -> DependencyClient<'_> {
        DependencyClient(self)
    }

    /// Returns the client for automatic dispatch.
    pub fn dispatch(&self) -> DispatchClient<'_> {
        DispatchClient(self)
    }

    /// Returns the client for the event stream.
    pub fn events(&self) -> EventClient<'_> {
        EventClient(self)
    }

    /// Returns the client for executions and their logs.
    pub fn executions(&self) -> ExecutionClient<'_> {
        ExecutionClient(self)
    }

    /// Returns the client for the journal of a task's workspace.
    pub fn journal(&self) -> JournalClient<'_> {
        JournalClient(self)
    }

    /// Returns the client for the webhooks of a project.
    pub fn webhooks(&self) -> WebhookClient<'_> {
        WebhookClient(self)
    }

    /// Returns the client for messages of the Model Context Protocol.
    pub fn mcp(&self) -> McpClient<'_> {
        McpClient(self)
    }

    /// Returns the client for the members of a project.
    pub fn members(&self) -> MemberClient<'_> {
        MemberClient(self)
    }

    /// Returns the client for projects and their workflows.
    pub fn projects(&self) -> ProjectClient<'_> {
        ProjectClient(self)
    }

    /// Returns the client for the questions of a task.
    pub fn questions(&self) -> QuestionClient<'_> {
        QuestionClient(self)
    }

    /// Returns the client for the repositories of a project.
    pub fn repos(&self) -> RepoClient<'_> {
        RepoClient(self)
    }

    /// Returns the client for reviews and decisions about them.
    pub fn reviews(&self) -> ReviewClient<'_> {
        ReviewClient(self)
    }

    /// Returns the client for the server itself.
    pub fn system(&self) -> SystemClient<'_> {
        SystemClient(self)
    }

    /// Returns the client for tasks and the actions on them.
    pub fn tasks(&self) -> TaskClient<'_> {
        TaskClient(self)
    }

    /// Returns the client for bearer tokens.
    pub fn tokens(&self) -> TokenClient<'_> {
        TokenClient(self)
    }

    /// Returns the client for merge trains.
    pub fn trains(&self) -> MergeTrainClient<'_> {
        MergeTrainClient(self)
    }

    /// Returns the client for usage and budgets.
    pub fn usage(&self) -> UsageClient<'_> {
        UsageClient(self)
    }

    /// Returns the client for users.
    pub fn users(&self) -> UserClient<'_> {
        UserClient(self)
    }

    /// Returns the client for workspaces, their setup, diffs and cleanup.
    pub fn workspaces(&self) -> WorkspaceClient<'_> {
        WorkspaceClient(self)
    }

    pub(crate) fn with_credential(&self, credential: ClientCredential) -> Self {
        Self { credential: Some(credential), ..self.clone() }
    }

    pub(crate) fn credential(&self) -> Option<(HeaderName, HeaderValue)> {
        self.credential.as_ref().map(ClientCredential::header)
    }

    /// Sends a call and reads its JSON answer.
    pub(crate) async fn fetch<T: DeserializeOwned>(&self, call: ApiCall) -> Result<T, ClientError> {
        let (parts, bytes) = self.send_and_read(call).await?.into_parts();
        serde_json::from_slice(&bytes).map_err(|error| self.unexpected_answer(parts.status, error))
    }

    /// Sends a call whose answer has no content.
    pub(crate) async fn perform(&self, call: ApiCall) -> Result<(), ClientError> {
        self.send_and_read(call).await.map(drop)
    }

    /// Sends a call and reads its answer as text.
    pub(crate) async fn fetch_text(&self, call: ApiCall) -> Result<String, ClientError> {
        let (parts, bytes) = self.send_and_read(call).await?.into_parts();
        String::from_utf8(bytes.into()).map_err(|error| self.unexpected_answer(parts.status, error))
    }

    /// Sends a call and reads the whole answer; an error answer becomes an error.
    pub(crate) async fn send_and_read(
        &self,
        call: ApiCall,
    ) -> Result<Response<Bytes>, ClientError> {
        let after = call.time(self.answer_time);
        let reading = async {
            let (parts, body) = self.send_streaming(call).await?.into_parts();
            let bytes = self.read(parts.status, body).await?;
            Ok(Response::from_parts(parts, bytes))
        };
        tokio::time::timeout(after, reading)
            .await
            .map_err(|_| ClientError::Timeout { url: self.url.to_string(), after })?
    }

    /// Sends a call and returns a successful answer with its body unread, for streaming.
    pub(crate) async fn send_streaming(
        &self,
        call: ApiCall,
    ) -> Result<Response<Incoming>, ClientError> {
        let response = self.send(call).await?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let bytes = self.read(status, response.into_body()).await?;
        Err(self.error_answer(status, &bytes))
    }

    /// Sends a call and reads the whole answer, whatever its status.
    pub(crate) async fn exchange(&self, call: ApiCall) -> Result<Response<Bytes>, ClientError> {
        let after = call.time(self.answer_time);
        let reading = async {
            let (parts, body) = self.send(call).await?.into_parts();
            let bytes = self.read(parts.status, body).await?;
            Ok(Response::from_parts(parts, bytes))
        };
        tokio::time::timeout(after, reading)
            .await
            .map_err(|_| ClientError::Timeout { url: self.url.to_string(), after })?
    }

    async fn send(&self, call: ApiCall) -> Result<Response<Incoming>, ClientError> {
        let request = call.into_request(self)?;
        let sent = self.connections.request(request).await;
        sent.map_err(|error| ClientError::from_transport(&self.url, &error))
    }

    async fn read(&self, status: StatusCode, body: Incoming) -> Result<Bytes, ClientError> {
        match Limited::new(body, LARGEST_ANSWER).collect().await {
            Ok(collected) => Ok(collected.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => {
                Err(self
                    .unexpected_answer(status, "it is larger than any answer of a Forge server"))
            }
            Err(error) => Err(ClientError::from_body_error(&self.url, error.as_ref())),
        }
    }

    fn error_answer(&self, status: StatusCode, bytes: &[u8]) -> ClientError {
        match serde_json::from_slice::<ErrorBody>(bytes) {
            Ok(body) => ClientError::Api { status: status.as_u16(), body: Box::new(body) },
            Err(_) => self.unexpected_answer(status, BodyExcerpt(bytes)),
        }
    }

    pub(crate) fn unexpected_answer(
        &self,
        status: StatusCode,
        reason: impl fmt::Display,
    ) -> ClientError {
        ClientError::BadAnswer {
            url: self.url.to_string(),
            status: status.as_u16(),
            reason: reason.to_string(),
        }
    }
}

/// The start of an answer that is not from Forge, on one line and without control characters.
struct BodyExcerpt<'a>(&'a [u8]);

impl fmt::Display for BodyExcerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.0);
        let words: Vec<_> = text.split_whitespace().collect();
        let plain = words.join(" ").replace(char::is_control, "");
        if plain.is_empty() {
            return f.write_str("the answer is empty");
        }
        let shown: String = plain.chars().take(120).collect();
        write!(f, "`{shown}`")
    }
}
