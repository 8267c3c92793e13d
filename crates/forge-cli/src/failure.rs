//! Why a command did not work: what to say, and how to exit.

use std::io;

use forge_api::ErrorCode;
use forge_client::{BadServerUrl, ClientError};
use forge_domain::Canonical;
use serde::Serialize;
use serde_json::{Value, json};

use crate::exit::Exit;

/// What went wrong, whose fault it is, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    code: &'static str,
    message: String,
    hints: Vec<String>,
    facts: Box<Facts>,
    /// The reader of our output went away; there is nobody to tell.
    silent: bool,
}

/// What only programs ask for.
#[derive(Debug, Default)]
struct Facts {
    details: Value,
    request_id: String,
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    message: &'a str,
    details: &'a Value,
    request_id: &'a str,
}

impl Failure {
    fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code,
            message: message.into(),
            hints: Vec::new(),
            facts: Box::default(),
            silent: false,
        }
    }

    /// The command line, a file or a setting cannot be used.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// Something on this machine is not as needed.
    pub(crate) fn local(message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, "local", message)
    }

    /// The rules say no.
    pub(crate) fn refused(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, code.as_str(), message)
    }

    /// Nothing has that name.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, ErrorCode::NotFound.as_str(), message)
    }

    /// A signal ended it.
    pub(crate) fn interrupted() -> Self {
        Self::new(Exit::Interrupted, "interrupted", "interrupted")
    }

    /// The answer is already on standard output; only the exit code is left to say.
    pub(crate) fn already_told(exit: Exit) -> Self {
        Self { silent: true, ..Self::new(exit, "local", "") }
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds facts for programs.
    pub(crate) fn details(mut self, details: Value) -> Self {
        self.facts.details = details;
        self
    }

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// The lines for people; `None` when there is nothing to say.
    pub(crate) fn lines(&self) -> Option<(String, Vec<String>)> {
        let message = format!("{} [{}]", self.message, self.code);
        (!self.silent).then(|| (message, self.hints.clone()))
    }

    /// The object for programs; `None` when there is nothing to say.
    pub(crate) fn body(&self) -> Option<Canonical> {
        let told = Told {
            code: self.code,
            message: &self.message,
            details: &self.facts.details,
            request_id: &self.facts.request_id,
        };
        (!self.silent).then(|| Canonical::of(json!(told)))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::already_told(Exit::Success);
        }
        Self::local(error.to_string())
    }
}

impl From<BadServerUrl> for Failure {
    fn from(error: BadServerUrl) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Api { status, body } => {
                let exit = match status {
                    404 => Exit::NotFound,
                    401 | 403 => Exit::Forbidden,
                    500.. => Exit::ServerFault,
                    _ => Exit::Refused,
                };
                let mut failure = Self::new(exit, body.code.as_str(), body.message);
                failure.hints = hints(body.code, &body.details);
                *failure.facts = Facts { details: body.details, request_id: body.request_id };
                failure
            }
            ClientError::Refused { url } => {
                Self::new(Exit::Unreachable, "unreachable", format!("nothing answers at {url}"))
                    .hint("start it with `forge serve`")
                    .hint("or name another server with --url or FORGE_URL")
            }
            ClientError::Unreachable { .. }
            | ClientError::Timeout { .. }
            | ClientError::NoCertificates(_) => {
                Self::new(Exit::Unreachable, "unreachable", error.to_string())
            }
            ClientError::BadAnswer { .. } => {
                Self::new(Exit::ServerFault, "bad_answer", error.to_string())
            }
            ClientError::BadUrl(error) => error.into(),
            ClientError::BadRequest(_) => Self::usage(error.to_string()),
            ClientError::UnusableToken => {
                Self::new(Exit::Forbidden, ErrorCode::Unauthorized.as_str(), error.to_string())
            }
        }
    }
}

/// What the details of an answer offer, in words of the command line.
fn hints(code: ErrorCode, details: &Value) -> Vec<String> {
    let listed = |key: &str, before: &str| {
        let items = details.get(key)?.as_array()?;
        let words: Vec<_> = items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect();
        (!words.is_empty()).then(|| format!("{before}: {}", words.join(", ")))
    };
    let hint = match code {
        ErrorCode::Unauthorized => {
            Some("sign in with `forge login`, or set FORGE_TOKEN".to_owned())
        }
        ErrorCode::InvalidTransition | ErrorCode::UnknownRole => listed("allowed", "choose one of"),
        ErrorCode::NotClaimable => listed("claimable_states", "it can be claimed from"),
        ErrorCode::DependencyGate => listed("unfinished", "it waits for"),
        ErrorCode::DependencyCycle => listed("cycle", "the circle is"),
        ErrorCode::WorkflowInUse => Some("say where they go with --map OLD=NEW".to_owned()),
        ErrorCode::UnknownField => listed("fields", "remove"),
        ErrorCode::TargetCheckoutDirty => listed("files", "commit or move"),
        ErrorCode::ReviewOver => Some(
            "`forge task review TASK` shows its attempts, `forge task move` moves it".to_owned(),
        ),
        ErrorCode::AgentPaused => Some("`forge agent resume NAME` lets it work again".to_owned()),
        ErrorCode::ProjectPaused => {
            Some("`forge project resume NAME` lets agents claim".to_owned())
        }
        _ => None,
    };
    hint.into_iter().collect()
}
