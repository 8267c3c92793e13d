//! How one kind of agent program is called and how its output is read, as data.

use crate::adapter::agent_kind::AgentKind;
use crate::adapter::argument_template::{ArgumentTemplate, ListSlot, ValueSlot};
use crate::adapter::login::{ConfigDirectory, LoginCheck};
use crate::stream::MapRule;
use crate::stream::failure_report::FailureRule;
use forge_domain::PermissionPolicy;
use forge_domain::task::ReasoningEffort;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the prompt reaches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptDelivery {
    /// On its standard input.
    Stdin,
    /// As one command-line argument.
    Argument,
    /// As a file that a command-line argument names.
    File,
}

/// Format of the program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamFormat {
    /// The stream of `claude --output-format stream-json`, which other programs print too.
    Claude,
    /// The stream of `codex exec --json`.
    Codex,
    /// JSON objects, one per line, read by the adapter's `[[events]]`.
    JsonLines,
    /// Forge's own log events, one per line.
    Events,
    /// Text for people.
    Text,
}

/// How the program is told how much its model thinks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EffortOptions {
    pub(crate) arguments: ArgumentTemplate,
    /// The levels that the program knows.
    pub(crate) levels: Vec<ReasoningEffort>,
}

/// What a permission policy adds to a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyOptions {
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
}

/// One file of `adapters/`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentAdapter {
    pub(crate) kind: AgentKind,
    /// The default program; `None` where the configuration must name it.
    #[serde(default)]
    pub(crate) program: Option<String>,
    pub(crate) prompt: PromptDelivery,
    pub(crate) stream: StreamFormat,
    /// Arguments of a new session.
    pub(crate) start: ArgumentTemplate,
    /// Arguments that continue a session; `None` if the program cannot.
    #[serde(default)]
    pub(crate) resume: Option<ArgumentTemplate>,
    #[serde(default)]
    pub(crate) model: Option<ArgumentTemplate>,
    /// Options of a claim that overrides the reasoning effort; `None` if the program has none.
    #[serde(default)]
    pub(crate) effort: Option<EffortOptions>,
    #[serde(default)]
    pub(crate) version: Vec<String>,
    /// The version that the adapter was last tested with.
    #[serde(default)]
    pub(crate) tested_version: Option<String>,
    /// How to find out whether the program is signed in.
    #[serde(default)]
    pub(crate) login: Option<LoginCheck>,
    /// Where the program keeps its settings and its login.
    #[serde(default)]
    pub(crate) config_directory: Option<ConfigDirectory>,
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// The policy when the configuration names none.
    #[serde(default)]
    pub(crate) default_policy: Option<PermissionPolicy>,
    #[serde(default)]
    pub(crate) policy: BTreeMap<PermissionPolicy, PolicyOptions>,
    /// A continued session also counts the tokens of earlier executions.
    #[serde(default)]
    pub(crate) usage_of_session: bool,
    /// A continued session reports the cost of earlier executions too, even where it does not count their tokens.
    #[serde(default)]
    pub(crate) cost_of_session: bool,
    /// The reported input tokens include cached tokens.
    #[serde(default)]
    pub(crate) input_includes_cached: bool,
    /// Standard input of a program that does not get its prompt there.
    #[serde(default)]
    pub(crate) input: Option<String>,
    /// The program accepts messages while it works (T-22).
    #[serde(default)]
    pub(crate) steers: bool,
    #[serde(default)]
    pub(crate) events: Vec<MapRule>,
    #[serde(default)]
    pub(crate) errors: Vec<FailureRule>,
}

/// Why an adapter cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdapterError {
    /// The file is not a valid adapter.
    #[error("the adapter cannot be read: {0}")]
    Unreadable(String),
    /// Its parts contradict each other.
    #[error("the adapter {kind}: {problem}")]
    Contradiction { kind: AgentKind, problem: &'static str },
    /// There is no file for a kind.
    #[error("there is no adapter for {0}")]
    Missing(AgentKind),
}

impl AgentAdapter {
    /// Reads an adapter and checks that its parts fit together.
    pub fn from_toml(text: &str) -> Result<Self, AdapterError> {
        let adapter: Self =
            toml::from_str(text).map_err(|error| AdapterError::Unreadable(error.to_string()))?;
        match adapter.find_contradiction() {
            Some(problem) => Err(AdapterError::Contradiction { kind: adapter.kind, problem }),
            None => Ok(adapter),
        }
    }

    pub fn kind(&self) -> AgentKind {
        self.kind
    }

    pub fn channel(&self) -> PromptDelivery {
        self.prompt
    }

    pub fn format(&self) -> StreamFormat {
        self.stream
    }

    /// The policies that it has arguments for.
    pub fn policies(&self) -> impl Iterator<Item = PermissionPolicy> {
        self.policy.keys().copied()
    }

    /// Whether its program accepts messages while it works (T-22).
    pub fn accepts_messages(&self) -> bool {
        self.steers
    }

    /// Whether a session can be continued.
    pub fn can_resume(&self) -> bool {
        self.resume.is_some()
    }

    fn find_contradiction(&self) -> Option<&'static str> {
        let calls = || std::iter::once(&self.start).chain(&self.resume);
        let all = |holds: &dyn Fn(&ArgumentTemplate) -> bool| calls().all(holds);
        let none = |slot: ValueSlot| all(&|call| !call.has(slot));
        let channel_fits = match self.prompt {
            PromptDelivery::Stdin => none(ValueSlot::Prompt) && none(ValueSlot::PromptFile),
            PromptDelivery::Argument => {
                all(&|call| call.has(ValueSlot::Prompt)) && none(ValueSlot::PromptFile)
            }
            PromptDelivery::File => {
                all(&|call| call.has(ValueSlot::PromptFile)) && none(ValueSlot::Prompt)
            }
        };
        let policy_words = self.policy.values().any(|permission| !permission.arguments.is_empty());
        let checks = [
            (!channel_fits, "its command lines do not give the prompt in the way `prompt` says"),
            (self.start.has(ValueSlot::Session), "a new session has no {session}"),
            (
                !none(ValueSlot::Model),
                "{model} belongs into `model`; write {model...} in the command lines",
            ),
            (
                self.resume.as_ref().is_some_and(|call| !call.has(ValueSlot::Session)),
                "`resume` does not name the {session}",
            ),
            (
                self.model.as_ref().is_some_and(|words| !words.has(ValueSlot::Model)),
                "`model` does not name the {model}",
            ),
            (
                self.model.is_some() != all(&|call| call.has_list(ListSlot::Model)),
                "`model` and {model...} go together, in both command lines",
            ),
            (
                self.effort.as_ref().is_some_and(|effort| {
                    effort.levels.is_empty() || !effort.arguments.has(ValueSlot::Effort)
                }),
                "`effort` needs `levels`, and `arguments` that name the {effort}",
            ),
            (
                !none(ValueSlot::Effort)
                    || self.effort.is_some() != all(&|call| call.has_list(ListSlot::Effort)),
                "`effort` and {effort...} go together, in both command lines",
            ),
            (
                policy_words && !all(&|call| call.has_list(ListSlot::Policy)),
                "the policies have arguments, but {policy...} is missing from a command line",
            ),
            (
                !all(&|call| call.has_list(ListSlot::Extra)),
                "{extra...} is missing from a command line",
            ),
            (
                self.default_policy.is_some_and(|policy| !self.policy.contains_key(&policy))
                    || self.default_policy.is_none() != self.policy.is_empty(),
                "`default_policy` must be one of its policies",
            ),
            (
                (self.stream == StreamFormat::JsonLines) == self.events.is_empty(),
                "`[[events]]` and the stream \"json_lines\" go together",
            ),
            (
                self.prompt == PromptDelivery::Stdin && self.input.is_some(),
                "`input` is for a program that does not read its prompt there",
            ),
            (
                self.program.is_some() == self.version.is_empty(),
                "a program needs its `version` arguments",
            ),
        ];
        checks.into_iter().find_map(|(wrong, problem)| wrong.then_some(problem))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    const GOOD: &str = r#"
        kind = "claude"
        program = "claude"
        version = ["--version"]
        prompt = "stdin"
        stream = "claude"
        start = ["-p", "{policy...}", "{model...}", "{extra...}", "{effort...}"]
        resume = ["-p", "--resume", "{session}", "{policy...}", "{model...}", "{extra...}", "{effort...}"]
        model = ["--model", "{model}"]
        default_policy = "edit"
        [policy.edit]
        arguments = ["--edit"]
        [effort]
        arguments = ["--effort", "{effort}"]
        levels = ["high"]
    "#;

    #[test]
    fn e_1_an_adapter_is_checked_at_load() {
        AgentAdapter::from_toml(GOOD).expect("is complete");
        for (from, to) in [
            ("\"-p\", \"--resume\"", "\"-p\", \"{promt}\""),
            ("\"--resume\", \"{session}\"", "\"--continue\""),
            ("prompt = \"stdin\"", "prompt = \"argument\""),
            ("prompt = \"stdin\"", "prompt = \"telepathy\""),
            ("default_policy = \"edit\"", "default_policy = \"full\""),
            ("stream = \"claude\"", "stream = \"json_lines\""),
            ("[\"--model\", \"{model}\"]", "[\"--model\"]"),
            ("version = [\"--version\"]", "version = []\ncolour = \"red\""),
            ("start = [\"-p\", \"{policy...}\"", "start = [\"-p\""),
            (", \"{effort...}\"]", "]"),
            ("[\"--effort\", \"{effort}\"]", "[\"--effort\"]"),
            ("levels = [\"high\"]", "levels = []"),
            ("levels = [\"high\"]", "levels = [\"enormous\"]"),
        ] {
            let bad = GOOD.replacen(from, to, 1);
            assert_ne!(bad, GOOD, "{from} is in the good one");
            assert!(AgentAdapter::from_toml(&bad).is_err(), "{from} -> {to}");
        }
    }
}
