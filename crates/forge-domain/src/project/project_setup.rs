//! A project's setup of workspaces (W-13), and the environment of its programs.

use crate::project::SettingsProblem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

const MOST_COMMANDS: usize = 50;
const LONGEST_COMMAND: usize = 16 * 1024;
const MOST_VARIABLES: usize = 200;
const LONGEST_VALUE: usize = 32 * 1024;
const MOST_PORTS: u32 = 20;
const LONGEST_TIMEOUT: u64 = 86_400;
const USUAL_TIMEOUT: u64 = 600;
/// Shorter values are not redacted, because that would garble the output.
const SHORTEST_SECRET: usize = 4;

/// A project's setup, from its settings.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectSetup {
    /// Shell commands, run in order.
    pub commands: Vec<String>,
    /// Time limit for all commands together.
    pub timeout_seconds: Option<u64>,
    /// Variables for setup, agents and checks.
    pub env: BTreeMap<String, String>,
    /// Number of ports per task.
    pub ports: u32,
}

impl ProjectSetup {
    /// Whether the project has no setup at all.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.ports == 0
    }

    /// Time limit for all commands together.
    pub fn timeout_seconds(&self) -> u64 {
        self.timeout_seconds.unwrap_or(USUAL_TIMEOUT)
    }

    /// Redacts the values of the variables, which may be secrets.
    pub fn redacted(&self, text: &str) -> String {
        let mut values: Vec<_> =
            self.env.values().filter(|value| value.len() >= SHORTEST_SECRET).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.into_iter().fold(text.to_owned(), |text, value| text.replace(value.as_str(), "***"))
    }

    /// Names what could only fail later, when a task waits for the setup.
    pub(crate) fn collect_problems(&self, problems: &mut Vec<SettingsProblem>) {
        self.collect_command_problems(problems);
        if self.timeout_seconds.is_some_and(|seconds| !(1..=LONGEST_TIMEOUT).contains(&seconds)) {
            problems.push(SettingsProblem::new(
                "settings.setup.timeout_seconds",
                format!("must be 1 to {LONGEST_TIMEOUT} seconds"),
            ));
        }
        self.collect_variable_problems(problems);
        if self.ports > MOST_PORTS {
            problems.push(SettingsProblem::new(
                "settings.setup.ports",
                format!("must be 0 to {MOST_PORTS}"),
            ));
        }
    }

    fn collect_command_problems(&self, problems: &mut Vec<SettingsProblem>) {
        let mut add =
            |text: String| problems.push(SettingsProblem::new("settings.setup.commands", text));
        if self.commands.len() > MOST_COMMANDS {
            return add(format!("at most {MOST_COMMANDS}; put more into a script"));
        }
        for (place, command) in self.commands.iter().enumerate() {
            if command.trim().is_empty() {
                add(format!("command {} is empty; leave it out", place + 1));
            }
            if command.len() > LONGEST_COMMAND || command.contains('\0') {
                add(format!(
                    "command {} is longer than {LONGEST_COMMAND} bytes or holds a NUL; put it into a script",
                    place + 1
                ));
            }
        }
    }

    fn collect_variable_problems(&self, problems: &mut Vec<SettingsProblem>) {
        let mut add =
            |text: String| problems.push(SettingsProblem::new("settings.setup.env", text));
        if self.env.len() > MOST_VARIABLES {
            return add(format!("at most {MOST_VARIABLES} variables"));
        }
        for (name, value) in &self.env {
            if !is_variable_name(name) {
                add(format!(
                    "{name:?} is no name of a variable: letters, digits and _, not beginning with a digit"
                ));
            } else if is_reserved_name(name) {
                add(format!(
                    "{name} is Forge's own: PATH, FORGE_… and GIT_… cannot be set; choose another name"
                ));
            }
            if value.len() > LONGEST_VALUE || value.contains('\0') {
                add(format!(
                    "the value of {name:?} is longer than {LONGEST_VALUE} bytes or holds a NUL"
                ));
            }
        }
    }
}

/// Shows only names of variables, because values may be secrets.
impl fmt::Debug for ProjectSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProjectSetup")
            .field("commands", &self.commands)
            .field("timeout_seconds", &self.timeout_seconds)
            .field("env", &self.env.keys())
            .field("ports", &self.ports)
            .finish()
    }
}

fn is_variable_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_reserved_name(name: &str) -> bool {
    name == "PATH" || name.starts_with("FORGE_") || name.starts_with("GIT_")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::project::StoredSettings;
    use serde_json::{Value, json};

    /// The paths of all problems.
    fn refused(setup: Value) -> Vec<String> {
        let stored = StoredSettings::parse(&json!({ "setup": setup }).to_string()).expect("JSON");
        let mut problems = Vec::new();
        match stored.setup() {
            Ok(setup) => setup.collect_problems(&mut problems),
            Err(unreadable) => problems.extend(unreadable.problems().to_vec()),
        }
        problems.into_iter().map(|problem| problem.path).collect()
    }

    #[test]
    fn w_13_a_setup_is_checked_when_it_is_saved() {
        for good in [
            json!(null),
            json!({}),
            json!({ "commands": ["npm ci"], "timeout_seconds": 5, "env": { "_a1": "" }, "ports": 20 }),
        ] {
            assert_eq!(refused(good), [""; 0]);
        }
        assert_eq!(refused(json!({ "commands": ["true", " \n"] })), ["settings.setup.commands"]);
        assert_eq!(refused(json!({ "commands": ["a\0b"] })), ["settings.setup.commands"]);
        assert_eq!(refused(json!({ "ports": 21 })), ["settings.setup.ports"]);
        assert_eq!(refused(json!({ "ports": -1 })), ["settings.setup"]);
        assert_eq!(refused(json!({ "timeout_seconds": 0 })), ["settings.setup.timeout_seconds"]);
        for name in
            ["", "1A", "A-B", "A B", "A=B", "é", "PATH", "FORGE_X", "GIT_DIR", "FORGE_PORT_0"]
        {
            assert_eq!(refused(json!({ "env": { name: "x" } })), ["settings.setup.env"], "{name}");
        }
        assert_eq!(refused(json!({ "env": { "A": "x\0" } })), ["settings.setup.env"]);
    }

    #[test]
    fn w_13_values_of_variables_are_shown_nowhere() {
        let setup: ProjectSetup = serde_json::from_value(
            json!({ "env": { "TOKEN": "hunter22", "LONG": "hunter2233", "N": "1" } }),
        )
        .expect("reads");
        assert_eq!(setup.redacted("1 hunter2233 x hunter22\n"), "1 *** x ***\n");
        assert!(!format!("{setup:?}").contains("hunter"), "{setup:?}");
    }
}
