//! How one kind of program is called and read, as data.

use crate::failure::Rule;
use crate::kind::Kind;
use crate::policy::Policy;
use crate::stream::MapRule;
use crate::template::{Slot, Splice, Template};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the prompt reaches the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// On its standard input.
    Stdin,
    /// As a word of its command line.
    Argument,
    /// As a file that a word of its command line names.
    File,
}

/// What the program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// The stream of `claude --output-format stream-json`, which others print too.
    Claude,
    /// The stream of `codex exec --json`.
    Codex,
    /// JSON objects, one a line, read by the adapter's `[[events]]`.
    JsonLines,
    /// Our own events, one a line.
    Events,
    /// Text for people.
    Text,
}

/// What a policy adds to a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Permission {
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
}

/// One file of `adapters/`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    pub(crate) kind: Kind,
    /// The program when the configuration names no other; none where it must.
    #[serde(default)]
    pub(crate) program: Option<String>,
    pub(crate) prompt: Channel,
    pub(crate) stream: Format,
    /// Arguments of a first turn.
    pub(crate) start: Template,
    /// Arguments of a turn that continues a session; none if the program cannot.
    #[serde(default)]
    pub(crate) resume: Option<Template>,
    #[serde(default)]
    pub(crate) model: Option<Template>,
    #[serde(default)]
    pub(crate) version: Vec<String>,
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// What counts when the configuration says nothing.
    #[serde(default)]
    pub(crate) default_policy: Option<Policy>,
    #[serde(default)]
    pub(crate) policy: BTreeMap<Policy, Permission>,
    /// A continued session counts what its earlier turns used as well.
    #[serde(default)]
    pub(crate) usage_of_session: bool,
    /// The program takes messages while it works (T-22).
    #[serde(default)]
    pub(crate) steers: bool,
    #[serde(default)]
    pub(crate) events: Vec<MapRule>,
    #[serde(default)]
    pub(crate) errors: Vec<Rule>,
}

/// An adapter that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdapterError {
    /// It does not say what an adapter says.
    #[error("the adapter cannot be read: {0}")]
    Unreadable(String),
    /// Its parts contradict each other.
    #[error("the adapter {kind}: {problem}")]
    Contradiction {
        /// Which.
        kind: Kind,
        /// What does not fit.
        problem: &'static str,
    },
    /// There is no file for a kind.
    #[error("there is no adapter for {0}")]
    Missing(Kind),
}

impl Adapter {
    /// Reads an adapter and checks that its parts fit together.
    pub fn from_toml(text: &str) -> Result<Self, AdapterError> {
        let adapter: Self =
            toml::from_str(text).map_err(|error| AdapterError::Unreadable(error.to_string()))?;
        match adapter.contradiction() {
            Some(problem) => Err(AdapterError::Contradiction { kind: adapter.kind, problem }),
            None => Ok(adapter),
        }
    }

    /// Which kind it serves.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How the prompt reaches the program.
    pub fn channel(&self) -> Channel {
        self.prompt
    }

    /// What the program prints.
    pub fn format(&self) -> Format {
        self.stream
    }

    /// The policies it has flags for.
    pub fn policies(&self) -> impl Iterator<Item = Policy> {
        self.policy.keys().copied()
    }

    /// Whether its program takes messages while it works (T-22).
    pub fn steers(&self) -> bool {
        self.steers
    }

    /// Whether a session can be continued.
    pub fn resumes(&self) -> bool {
        self.resume.is_some()
    }

    fn contradiction(&self) -> Option<&'static str> {
        let calls = || std::iter::once(&self.start).chain(&self.resume);
        let all = |holds: &dyn Fn(&Template) -> bool| calls().all(holds);
        let none = |slot: Slot| all(&|call| !call.has(slot));
        let channel_fits = match self.prompt {
            Channel::Stdin => none(Slot::Prompt) && none(Slot::PromptFile),
            Channel::Argument => all(&|call| call.has(Slot::Prompt)) && none(Slot::PromptFile),
            Channel::File => all(&|call| call.has(Slot::PromptFile)) && none(Slot::Prompt),
        };
        let policy_words = self.policy.values().any(|permission| !permission.arguments.is_empty());
        let checks = [
            (!channel_fits, "its command lines do not give the prompt in the way `prompt` says"),
            (self.start.has(Slot::Session), "a first turn has no {session}"),
            (
                !none(Slot::Model),
                "{model} belongs into `model`; write {model...} in the command lines",
            ),
            (
                self.resume.as_ref().is_some_and(|call| !call.has(Slot::Session)),
                "`resume` does not name the {session}",
            ),
            (
                self.model.as_ref().is_some_and(|words| !words.has(Slot::Model)),
                "`model` does not name the {model}",
            ),
            (
                self.model.is_some() != all(&|call| call.splices(Splice::Model)),
                "`model` and {model...} go together, in both command lines",
            ),
            (
                policy_words && !all(&|call| call.splices(Splice::Policy)),
                "the policies have arguments, but {policy...} is missing from a command line",
            ),
            (
                !all(&|call| call.splices(Splice::Extra)),
                "{extra...} is missing from a command line",
            ),
            (
                self.default_policy.is_some_and(|policy| !self.policy.contains_key(&policy))
                    || self.default_policy.is_none() != self.policy.is_empty(),
                "`default_policy` must be one of its policies",
            ),
            (
                (self.stream == Format::JsonLines) == self.events.is_empty(),
                "`[[events]]` and the stream \"json_lines\" go together",
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
        start = ["-p", "{policy...}", "{model...}", "{extra...}"]
        resume = ["-p", "--resume", "{session}", "{policy...}", "{model...}", "{extra...}"]
        model = ["--model", "{model}"]
        default_policy = "edit"
        [policy.edit]
        arguments = ["--edit"]
    "#;

    #[test]
    fn e_1_an_adapter_is_checked_at_load() {
        Adapter::from_toml(GOOD).expect("is complete");
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
        ] {
            let bad = GOOD.replacen(from, to, 1);
            assert_ne!(bad, GOOD, "{from} is in the good one");
            assert!(Adapter::from_toml(&bad).is_err(), "{from} -> {to}");
        }
    }
}
