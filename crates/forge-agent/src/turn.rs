//! One call of an agent's program.

use crate::adapter::Channel;
use crate::executor::Executor;
use crate::kind::Kind;
use crate::prompt::Prompt;
use crate::template::{Filling, Template};
use crate::word::Word;
use forge_proc::{Invocation, Mark, Spec, Stdin};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where and as whom a turn runs.
#[derive(Debug)]
pub struct Place<'a> {
    /// The worktree.
    pub directory: &'a Path,
    /// The file the prompt was written to.
    pub prompt_file: &'a Path,
    /// The log file.
    pub log: PathBuf,
    /// How much of the output the log keeps.
    pub log_cap: u64,
    /// By which the processes are found again.
    pub mark: Mark,
    /// Whether the program may outlive us, for the next server to go on with.
    pub adoptable: bool,
    /// The whole environment; nothing else is inherited.
    pub environment: Vec<(OsString, OsString)>,
}

/// A turn that is ready to be started.
#[derive(Debug)]
pub struct Turn(pub Spec);

/// A program that forgets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot continue a session; start a new turn with the message in its prompt")]
pub struct CannotResume(pub Kind);

/// Linux passes no single word longer than 128 KiB.
const LONGEST_WORD: usize = 120 * 1024;

impl Turn {
    /// The first turn of a conversation.
    pub fn new(executor: &Executor, prompt: &Prompt, place: Place<'_>) -> Self {
        Self::built(executor, &executor.adapter.start, None, prompt, place)
    }

    /// A turn that continues a conversation (E-7).
    pub fn resume(
        executor: &Executor,
        session: &Word,
        prompt: &Prompt,
        place: Place<'_>,
    ) -> Result<Self, CannotResume> {
        let template = executor.adapter.resume.as_ref().ok_or(CannotResume(executor.kind()))?;
        Ok(Self::built(executor, template, Some(session), prompt, place))
    }

    fn built(
        executor: &Executor,
        template: &Template,
        session: Option<&Word>,
        prompt: &Prompt,
        place: Place<'_>,
    ) -> Self {
        let file = place.prompt_file.to_string_lossy();
        let mut words = executor.words(template, session, prompt.as_str(), &file).into_iter();
        let program = words.next().unwrap_or_default();
        let adapter = executor.adapter;
        let permission = executor.policy.and_then(|policy| adapter.policy.get(&policy));
        let stdin = match executor.channel {
            Channel::Stdin => Stdin::Bytes(prompt.as_str().as_bytes().to_vec()),
            Channel::Argument | Channel::File => Stdin::Closed,
        };
        let invocation = Invocation::new(program, place.directory)
            .args(words)
            .envs(place.environment)
            .envs(&adapter.environment)
            .envs(permission.iter().flat_map(|permission| &permission.environment))
            .envs(&executor.environment)
            .env("FORGE_PROMPT_FILE", place.prompt_file.as_os_str())
            .stdin(stdin);
        let spec = Spec::new(invocation, place.mark, place.log).log_cap(place.log_cap);
        let spec = if place.adoptable { spec.adoptable() } else { spec };
        Self(match executor.timeout() {
            Some(time) => spec.deadline(time),
            None => spec,
        })
    }
}

impl Executor {
    /// The command line of a first turn, for people to look at.
    pub fn shown(&self) -> Vec<String> {
        self.words(&self.adapter.start, None, "PROMPT", "PROMPT_FILE")
    }

    fn words(
        &self,
        template: &Template,
        session: Option<&Word>,
        prompt: &str,
        prompt_file: &str,
    ) -> Vec<String> {
        let policy = self.policy.and_then(|policy| self.adapter.policy.get(&policy));
        let model = self.model.as_ref().map_or("", Word::as_str);
        let model_words = match (&self.adapter.model, &self.model) {
            (Some(template), Some(_)) => template.fill(Filling { model, ..Filling::default() }),
            _ => Vec::new(),
        };
        let mut words = Vec::new();
        let mut extra = self.extra.clone();
        if self.kind() == Kind::Acp {
            words.push(bridge());
            extra
                .splice(0..0, std::iter::once("--".to_owned()).chain(self.program.iter().cloned()));
        } else {
            words.extend_from_slice(&self.program);
        }
        words.extend(template.fill(Filling {
            prompt,
            prompt_file,
            session: session.map_or("", Word::as_str),
            model,
            policy_words: policy.map_or(&[], |permission| &permission.arguments),
            model_words: &model_words,
            extra_words: &extra,
        }));
        if self.kind() == Kind::Shell {
            match self.channel {
                Channel::Stdin => {}
                Channel::Argument => words.push(as_word(prompt, prompt_file)),
                Channel::File => words.push(prompt_file.to_owned()),
            }
        }
        words
    }
}

/// The prompt as one word: never an option, never too long for the system.
fn as_word(prompt: &str, prompt_file: &str) -> String {
    if prompt.len() > LONGEST_WORD {
        return format!(
            "Your instructions are in the file {prompt_file}: read all of it, then do what it says."
        );
    }
    let guard = if prompt.starts_with('-') { "\n" } else { "" };
    // A NUL cannot be passed, and nothing can be meant by it.
    format!("{guard}{}", prompt.replace('\0', ""))
}

/// This very program: it holds the bridge to agents that speak a protocol.
fn bridge() -> String {
    let here = std::env::current_exe().ok().filter(|path| path.exists());
    here.and_then(|path| path.into_os_string().into_string().ok())
        .unwrap_or_else(|| "forge".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use serde_json::json;

    fn executor(written: serde_json::Value) -> Executor {
        Executor::from_json(&written).expect("is complete")
    }

    fn line(written: serde_json::Value, session: Option<&str>) -> String {
        let executor = executor(written);
        let session = session.map(|id| Word::new(id).expect("is harmless"));
        let template = match session {
            Some(_) => executor.adapter.resume.as_ref().expect("can resume"),
            None => &executor.adapter.start,
        };
        let words = executor.words(template, session.as_ref(), "do it", "/p");
        words.join(" ")
    }

    #[test]
    fn e_1_first_turn_and_resume_have_their_own_command_lines() {
        let codex =
            json!({ "kind": "codex", "model": "m", "policy": "full", "arguments": ["-c", "a=b"] });
        let flags = "--dangerously-bypass-approvals-and-sandbox --model m -c a=b";
        assert_eq!(line(codex.clone(), None), format!("codex exec --json {flags} -"));
        assert_eq!(line(codex, Some("s-1")), format!("codex exec --json {flags} resume s-1 -"));
        let claude = json!({ "kind": "claude", "command": ["npx", "claude"], "policy": "plan" });
        let start = "npx claude -p --output-format stream-json --verbose";
        assert_eq!(line(claude.clone(), None), format!("{start} --permission-mode plan"));
        assert_eq!(line(claude, Some("s")), format!("{start} --resume s --permission-mode plan"));
    }

    #[test]
    fn e_1_an_acp_agent_is_started_by_the_bridge() {
        let words =
            line(json!({ "kind": "acp", "command": ["a", "b"], "arguments": ["-c"] }), Some("s"));
        assert!(
            words.ends_with("agent acp-bridge --prompt-file /p --resume s --policy edit -- a b -c"),
            "{words}"
        );
    }

    #[test]
    fn e_1_a_shell_prompt_goes_by_stdin_argument_or_file() {
        let shell = |prompt: &str| json!({ "kind": "shell", "command": ["sh"], "prompt": prompt });
        assert_eq!(line(shell("stdin"), None), "sh");
        assert_eq!(line(shell("argument"), None), "sh do it");
        assert_eq!(line(shell("file"), None), "sh /p");
        assert_eq!(as_word("--help", "/p"), "\n--help");
        assert!(as_word(&"x".repeat(LONGEST_WORD + 1), "/p").contains("the file /p"));
    }

    #[test]
    fn e_7_a_program_without_sessions_says_so() {
        let shell = executor(json!({ "kind": "shell", "command": ["sh"] }));
        assert_eq!(shell.adapter.resume, None);
    }
}
