//! The error of a command: its message and its exit code.

use std::io;

use forge_api::ErrorCode;
use forge_client::{ClientError, ServerUrlError};
use forge_domain::CanonicalJson;
use serde::Serialize;
use serde_json::{Value, json};

use crate::exit_code::CliExit;

/// What failed, how to exit, and what to do next.
#[derive(Debug)]
pub(crate) struct CliError {
    exit: CliExit,
    code: &'static str,
    message: String,
    hints: Vec<String>,
    facts: Box<ErrorFacts>,
    /// Standard output was closed by its reader, so no error is printed.
    is_silent: bool,
}

/// Data for programs only.
#[derive(Debug, Default)]
struct ErrorFacts {
    details: Value,
    request_id: String,
}

#[derive(Serialize)]
struct ErrorDocument<'a> {
    code: &'a str,
    message: &'a str,
    details: &'a Value,
    request_id: &'a str,
}

impl CliError {
    fn new(exit: CliExit, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code,
            message: message.into(),
            hints: Vec::new(),
            facts: Box::default(),
            is_silent: false,
        }
    }

    /// Invalid command line, file or setting.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(CliExit::Usage, "usage", message)
    }

    /// A problem on this machine.
    pub(crate) fn local(message: impl Into<String>) -> Self {
        Self::new(CliExit::Refused, "local", message)
    }

    /// The server does not answer.
    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        Self::new(CliExit::Unreachable, "unreachable", message)
    }

    /// The rules refuse the action.
    pub(crate) fn refused(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::new(CliExit::Refused, code.as_str(), message)
    }

    /// The server does not accept the given credentials.
    pub(crate) fn not_signed_in(message: impl Into<String>) -> Self {
        Self::new(CliExit::Forbidden, ErrorCode::Unauthorized.as_str(), message)
    }

    /// No item has that name.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(CliExit::NotFound, ErrorCode::NotFound.as_str(), message)
    }

    /// A signal ended the command.
    pub(crate) fn interrupted() -> Self {
        Self::new(CliExit::Interrupted, "interrupted", "interrupted")
    }

    /// The answer is already on standard output; only the exit code is missing.
    pub(crate) fn already_printed(exit: CliExit) -> Self {
        Self { is_silent: true, ..Self::new(exit, "local", "") }
    }

    /// Adds a hint about what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds details for programs.
    pub(crate) fn details(mut self, details: Value) -> Self {
        self.facts.details = details;
        self
    }

    pub(crate) fn exit(&self) -> CliExit {
        self.exit
    }

    /// The lines for people; `None` when nothing is to be printed.
    pub(crate) fn lines(&self) -> Option<(String, Vec<String>)> {
        let message = format!("{} [{}]", self.message, self.code);
        (!self.is_silent).then(|| (message, self.hints.clone()))
    }

    /// The message and its hints in one line, without the code.
    pub(crate) fn sentence(&self) -> String {
        let parts: Vec<_> = std::iter::once(&self.message).chain(&self.hints).cloned().collect();
        parts.join("; ")
    }

    /// The object for programs; `None` when nothing is to be printed.
    pub(crate) fn body(&self) -> Option<CanonicalJson> {
        let told = ErrorDocument {
            code: self.code,
            message: &self.message,
            details: &self.facts.details,
            request_id: &self.facts.request_id,
        };
        (!self.is_silent).then(|| CanonicalJson::of(json!(told)))
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::already_printed(CliExit::Success);
        }
        Self::local(error.to_string())
    }
}

impl From<ServerUrlError> for CliError {
    fn from(error: ServerUrlError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<ClientError> for CliError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Api { status, body } => {
                let exit = match status {
                    404 => CliExit::NotFound,
                    401 | 403 => CliExit::Forbidden,
                    500.. => CliExit::ServerFault,
                    _ => CliExit::Refused,
                };
                let mut failure = Self::new(exit, body.code.as_str(), body.message);
                failure.hints = hints(body.code, &body.details);
                *failure.facts = ErrorFacts { details: body.details, request_id: body.request_id };
                failure
            }
            ClientError::Refused { url } => {
                Self::new(CliExit::Unreachable, "unreachable", format!("nothing answers at {url}"))
                    .hint("start it with `forge serve`, or with `forge init` in a repository")
                    .hint("or name another server with --url or FORGE_URL")
            }
            ClientError::NotTls { plain, url } => {
                let message = format!("{url} does not speak https");
                Self::new(CliExit::Unreachable, "unreachable", message).hint(format!("use {plain}"))
            }
            ClientError::Unreachable { .. }
            | ClientError::Timeout { .. }
            | ClientError::NoCertificates(_) => {
                Self::new(CliExit::Unreachable, "unreachable", error.to_string())
            }
            ClientError::BadAnswer { .. } => {
                Self::new(CliExit::ServerFault, "bad_answer", error.to_string())
            }
            ClientError::BadUrl(error) => error.into(),
            ClientError::BadRequest(_) => Self::usage(error.to_string()),
            ClientError::UnusableToken => {
                Self::new(CliExit::Forbidden, ErrorCode::Unauthorized.as_str(), error.to_string())
            }
        }
    }
}

/// Hints for the command line from the details of an answer.
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
        ErrorCode::InvalidTransition | ErrorCode::UnknownRole | ErrorCode::InvalidQuery => {
            listed("allowed", "choose one of")
        }
        ErrorCode::NotClaimable => listed("claimable_states", "it can be claimed from"),
        ErrorCode::DependencyGate => listed("unfinished", "it waits for"),
        ErrorCode::DependencyCycle => listed("cycle", "the cycle is"),
        ErrorCode::WorkflowInUse => Some("map their states with --map OLD=NEW".to_owned()),
        ErrorCode::UnknownField => listed("fields", "remove"),
        ErrorCode::ProgramMissing => {
            Some("`forge agent probe` shows which agent programs this shell finds".to_owned())
        }
        ErrorCode::TargetCheckoutDirty => listed("files", "commit or move"),
        ErrorCode::ReviewOver => Some(
            "`forge task review TASK` shows its attempts, `forge task move` moves it".to_owned(),
        ),
        ErrorCode::AgentInUse => Some("`forge agent check` shows what it works on".to_owned()),
        ErrorCode::AgentPaused => Some("`forge agent resume NAME` lets it work again".to_owned()),
        ErrorCode::ProjectPaused => {
            Some("`forge project resume NAME` lets agents claim".to_owned())
        }
        _ => None,
    };
    hint.into_iter().collect()
}
