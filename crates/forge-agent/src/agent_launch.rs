//! Starts an agent's program.

use crate::adapter::agent_adapter::PromptDelivery;
use crate::adapter::agent_kind::AgentKind;
use crate::adapter::argument_template::{ArgumentTemplate, TemplateValues};
use crate::adapter::executor_config::ExecutorConfig;
use crate::adapter::safe_argument::SafeArgument;
use crate::prompt::agent_prompt::AgentPrompt;
use forge_proc::{ProcessMark, ProgramInvocation, StdinSource, SupervisionSpec};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Directory, log and environment of an execution.
#[derive(Debug)]
pub struct LaunchSettings<'a> {
    pub directory: &'a Path,
    /// The file that contains the prompt.
    pub prompt_file: &'a Path,
    pub log: PathBuf,
    /// How many bytes of output the log keeps.
    pub log_cap: u64,
    /// Identifies the processes of the execution.
    pub mark: ProcessMark,
    /// Whether the program may outlive this server, so that the next one can adopt it.
    pub adoptable: bool,
    /// The whole environment; nothing else is inherited.
    pub environment: Vec<(OsString, OsString)>,
}

/// An execution that is ready to be started.
#[derive(Debug)]
pub struct AgentLaunch(pub SupervisionSpec);

/// The program cannot continue a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot continue a session; start a new execution with the message in its prompt")]
pub struct ResumeUnsupportedError(pub AgentKind);

/// Linux limits a single argument to 128 KiB.
const LONGEST_ARGUMENT: usize = 120 * 1024;

impl AgentLaunch {
    /// Starts a new conversation.
    pub fn new(executor: &ExecutorConfig, prompt: &AgentPrompt, place: LaunchSettings<'_>) -> Self {
        Self::build(executor, &executor.adapter.start, None, prompt, place)
    }

    /// Continues a conversation (E-7).
    pub fn resume(
        executor: &ExecutorConfig,
        session: &SafeArgument,
        prompt: &AgentPrompt,
        place: LaunchSettings<'_>,
    ) -> Result<Self, ResumeUnsupportedError> {
        let template =
            executor.adapter.resume.as_ref().ok_or(ResumeUnsupportedError(executor.kind()))?;
        Ok(Self::build(executor, template, Some(session), prompt, place))
    }

    fn build(
        executor: &ExecutorConfig,
        template: &ArgumentTemplate,
        session: Option<&SafeArgument>,
        prompt: &AgentPrompt,
        place: LaunchSettings<'_>,
    ) -> Self {
        let file = place.prompt_file.to_string_lossy();
        let mut words =
            executor.command_line(template, session, prompt.as_str(), &file).into_iter();
        let program = words.next().unwrap_or_default();
        let adapter = executor.adapter;
        let permission = executor.policy.and_then(|policy| adapter.policy.get(&policy));
        let stdin = match executor.channel {
            PromptDelivery::Stdin => StdinSource::Bytes(prompt.as_str().as_bytes().to_vec()),
            PromptDelivery::Argument | PromptDelivery::File => match &adapter.input {
                Some(input) => StdinSource::Bytes(input.clone().into_bytes()),
                None => StdinSource::Closed,
            },
        };
        let invocation = ProgramInvocation::new(program, place.directory)
            .args(words)
            .envs(add_own_program(place.environment))
            .envs(&adapter.environment)
            .envs(permission.iter().flat_map(|permission| &permission.environment))
            .envs(executor.added_environment())
            .env("FORGE_PROMPT_FILE", place.prompt_file.as_os_str())
            .stdin(stdin);
        let spec = SupervisionSpec::new(invocation, place.mark, place.log).log_cap(place.log_cap);
        let spec = if place.adoptable { spec.adoptable() } else { spec };
        Self(match executor.timeout() {
            Some(time) => spec.deadline(time),
            None => spec,
        })
    }
}

impl ExecutorConfig {
    /// The command line of a new session, for display.
    pub(crate) fn preview_command(&self) -> Vec<String> {
        self.command_line(&self.adapter.start, None, "PROMPT", "PROMPT_FILE")
    }

    fn command_line(
        &self,
        template: &ArgumentTemplate,
        session: Option<&SafeArgument>,
        prompt: &str,
        prompt_file: &str,
    ) -> Vec<String> {
        let policy = self.policy.and_then(|policy| self.adapter.policy.get(&policy));
        let model = self.model.as_ref().map_or("", SafeArgument::as_str);
        let model_words = match (&self.adapter.model, &self.model) {
            (Some(template), Some(_)) => {
                template.fill(TemplateValues { model, ..TemplateValues::default() })
            }
            _ => Vec::new(),
        };
        let effort_words = match (&self.adapter.effort, self.effort) {
            (Some(options), Some(level)) => options
                .arguments
                .fill(TemplateValues { effort: level.as_str(), ..TemplateValues::default() }),
            _ => Vec::new(),
        };
        let prompt_word = prompt_argument(prompt, prompt_file);
        let mut words = Vec::new();
        let mut extra = self.extra.clone();
        if self.kind() == AgentKind::Acp {
            words.push(bridge_program());
            extra
                .splice(0..0, std::iter::once("--".to_owned()).chain(self.program.iter().cloned()));
        } else {
            words.extend_from_slice(&self.program);
        }
        words.extend(template.fill(TemplateValues {
            prompt: &prompt_word,
            prompt_file,
            session: session.map_or("", SafeArgument::as_str),
            model,
            policy_words: policy.map_or(&[], |permission| &permission.arguments),
            effort: "",
            model_words: &model_words,
            effort_words: &effort_words,
            extra_words: &extra,
        }));
        if self.kind() == AgentKind::Shell {
            match self.channel {
                PromptDelivery::Stdin => {}
                PromptDelivery::Argument => words.push(prompt_word),
                PromptDelivery::File => words.push(prompt_file.to_owned()),
            }
        }
        words
    }
}

/// The prompt as one argument that is not an option and not too long for the system.
fn prompt_argument(prompt: &str, prompt_file: &str) -> String {
    if prompt.len() > LONGEST_ARGUMENT {
        return format!(
            "Your instructions are in the file {prompt_file}: read all of it, then do what it says."
        );
    }
    let guard = if prompt.starts_with('-') { "\n" } else { "" };
    // A NUL byte cannot be passed and has no meaning in a prompt.
    format!("{guard}{}", prompt.replace('\0', ""))
}

/// Appends the directory of this program to the PATH, so that an agent finds `forge` (E-3). Other programs of that name
/// come first.
fn add_own_program(mut variables: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let here = std::env::current_exe().ok();
    let here = here.filter(|path| path.exists() && path.file_name() == Some(OsStr::new("forge")));
    let path = variables.iter_mut().rev().find(|(name, _)| name == "PATH");
    if let (Some(directory), Some((_, path))) = (here.as_deref().and_then(Path::parent), path) {
        let all = std::env::split_paths(path).chain([directory.to_owned()]);
        if let Ok(joined) = std::env::join_paths(all) {
            *path = joined;
        }
    }
    variables
}

/// The path of this program, which contains the ACP bridge.
fn bridge_program() -> String {
    let here = std::env::current_exe().ok().filter(|path| path.exists());
    here.and_then(|path| path.into_os_string().into_string().ok())
        .unwrap_or_else(|| "forge".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::adapter::agent_adapter::AgentAdapter;
    use forge_domain::PermissionPolicy;
    use serde_json::json;

    fn executor(written: serde_json::Value) -> ExecutorConfig {
        ExecutorConfig::from_json(&written).expect("is complete")
    }

    fn line(written: serde_json::Value, session: Option<&str>) -> String {
        let executor = executor(written);
        let session = session.map(|id| SafeArgument::new(id).expect("is harmless"));
        let template = match session {
            Some(_) => executor.adapter.resume.as_ref().expect("can resume"),
            None => &executor.adapter.start,
        };
        let words = executor.command_line(template, session.as_ref(), "do it", "/p");
        words.join(" ")
    }

    #[test]
    fn e_1_start_and_resume_have_their_own_command_lines() {
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
        assert_eq!(prompt_argument("--help", "/p"), "\n--help");
        assert!(prompt_argument(&"x".repeat(LONGEST_ARGUMENT + 1), "/p").contains("the file /p"));
    }

    /// A program that is not signed in reads a login code from its standard input; it must not get the task there.
    #[test]
    fn issue_13_14_amp_gets_the_task_as_an_argument_and_an_empty_line_to_read() {
        let amp = line(json!({ "kind": "amp" }), None);
        assert!(amp.starts_with("amp --execute do it --stream-json"), "{amp}");
        assert!(amp.contains("--dangerously-allow-all"), "{amp}");
        let adapter = AgentAdapter::of(AgentKind::Amp).expect("loads");
        assert_eq!(
            (adapter.channel(), adapter.input.as_deref()),
            (PromptDelivery::Argument, Some("\n"))
        );
    }

    #[test]
    fn issue_13_14_a_configuration_directory_is_named_by_the_programs_own_variable() {
        let written = json!({ "kind": "codex", "config_directory": "/accounts/two" });
        let added: Vec<_> = executor(written).added_environment().collect();
        assert_eq!(added, [("CODEX_HOME".into(), "/accounts/two".into())]);
    }

    /// opencode allows commands by default: a policy that forbids them must deny them explicitly.
    #[test]
    fn issue_13_10_opencode_is_denied_commands() {
        let adapter = AgentAdapter::of(AgentKind::Opencode).expect("loads");
        for (policy, edits) in [(PermissionPolicy::Plan, "deny"), (PermissionPolicy::Edit, "allow")]
        {
            let rules = &adapter.policy[&policy].environment["OPENCODE_PERMISSION"];
            let rules: serde_json::Value = serde_json::from_str(rules).expect("is JSON");
            assert_eq!((&rules["bash"], &rules["edit"]), (&json!("deny"), &json!(edits)));
        }
        assert!(adapter.policy[&PermissionPolicy::Full].environment.is_empty());
    }

    #[test]
    fn e_7_a_program_without_sessions_says_so() {
        let shell = executor(json!({ "kind": "shell", "command": ["sh"] }));
        assert_eq!(shell.adapter.resume, None);
    }
}
