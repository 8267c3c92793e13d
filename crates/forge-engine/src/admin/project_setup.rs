//! A project's setup of workspaces (W-13), and the environment of its programs.

use crate::command::errors::EngineError;
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
pub(crate) struct ProjectSetup {
    /// Shell commands, run in order.
    pub(crate) commands: Vec<String>,
    /// Time limit for all commands together.
    pub(crate) timeout_seconds: Option<u64>,
    /// Variables for setup, agents and checks.
    pub(crate) env: BTreeMap<String, String>,
    /// Number of ports per task.
    pub(crate) ports: u32,
}

impl ProjectSetup {
    /// Reads the setup from a project's settings; empty by default.
    pub(crate) fn of(settings: &serde_json::Value) -> Result<Self, EngineError> {
        match settings.get("setup") {
            None | Some(serde_json::Value::Null) => Ok(Self::default()),
            Some(setup) => serde_json::from_value(setup.clone()).map_err(|error| {
                EngineError::InvalidField { field: "settings.setup", problem: error.to_string() }
            }),
        }
    }

    /// Refuses a setup that could only fail later, when a task waits for it.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        self.check_commands()?;
        self.check_env()?;
        if self.ports > MOST_PORTS {
            return invalid("settings.setup.ports", format!("must be 0 to {MOST_PORTS}"));
        }
        match self.timeout_seconds {
            Some(seconds) if !(1..=LONGEST_TIMEOUT).contains(&seconds) => invalid(
                "settings.setup.timeout_seconds",
                format!("must be 1 to {LONGEST_TIMEOUT} seconds"),
            ),
            _ => Ok(()),
        }
    }

    fn check_commands(&self) -> Result<(), EngineError> {
        let wrong = |problem: String| invalid("settings.setup.commands", problem);
        if self.commands.len() > MOST_COMMANDS {
            return wrong(format!("at most {MOST_COMMANDS}; put more into a script"));
        }
        for (place, command) in self.commands.iter().enumerate() {
            if command.trim().is_empty() {
                return wrong(format!("command {} is empty; leave it out", place + 1));
            }
            if command.len() > LONGEST_COMMAND || command.contains('\0') {
                return wrong(format!(
                    "command {} is longer than {LONGEST_COMMAND} bytes or holds a NUL; put it into a script",
                    place + 1
                ));
            }
        }
        Ok(())
    }

    fn check_env(&self) -> Result<(), EngineError> {
        let wrong = |problem: String| invalid("settings.setup.env", problem);
        if self.env.len() > MOST_VARIABLES {
            return wrong(format!("at most {MOST_VARIABLES} variables"));
        }
        for (name, value) in &self.env {
            if !is_name(name) {
                return wrong(format!(
                    "{name:?} is no name of a variable: letters, digits and _, not beginning with a digit"
                ));
            }
            if name == "PATH" || name.starts_with("FORGE_") || name.starts_with("GIT_") {
                return wrong(format!(
                    "{name} is Forge's own: PATH, FORGE_… and GIT_… cannot be set; choose another name"
                ));
            }
            if value.len() > LONGEST_VALUE || value.contains('\0') {
                return wrong(format!(
                    "the value of {name} is longer than {LONGEST_VALUE} bytes or holds a NUL"
                ));
            }
        }
        Ok(())
    }

    /// Time limit for all commands together.
    pub(crate) fn timeout_seconds(&self) -> u64 {
        self.timeout_seconds.unwrap_or(USUAL_TIMEOUT)
    }

    /// Redacts the values of the variables, which may be secrets.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let mut values: Vec<_> =
            self.env.values().filter(|value| value.len() >= SHORTEST_SECRET).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.into_iter().fold(text.to_owned(), |text, value| text.replace(value.as_str(), "***"))
    }
}

/// Shows only names of variables, because values may be secrets.
impl fmt::Debug for ProjectSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("commands", &self.commands)
            .field("timeout_seconds", &self.timeout_seconds)
            .field("env", &self.env.keys())
            .field("ports", &self.ports)
            .finish()
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn invalid(field: &'static str, problem: String) -> Result<(), EngineError> {
    Err(EngineError::InvalidField { field, problem })
}

/// Checks the setup in settings that are about to be saved.
pub(crate) fn check(settings: &serde_json::Value) -> Result<(), EngineError> {
    ProjectSetup::of(settings)?.check()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn refused(setup: serde_json::Value) -> &'static str {
        match check(&json!({ "setup": setup })) {
            Err(EngineError::InvalidField { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn w_13_a_setup_is_checked_when_it_is_saved() {
        for good in [
            json!(null),
            json!({}),
            json!({ "commands": ["npm ci"], "timeout_seconds": 5, "env": { "_a1": "" }, "ports": 20 }),
        ] {
            check(&json!({ "setup": good })).expect("fits");
        }
        check(&json!({})).expect("nothing is fine");
        assert_eq!(refused(json!({ "commands": ["true", " \n"] })), "settings.setup.commands");
        assert_eq!(refused(json!({ "commands": ["a\0b"] })), "settings.setup.commands");
        assert_eq!(refused(json!({ "ports": 21 })), "settings.setup.ports");
        assert_eq!(refused(json!({ "ports": -1 })), "settings.setup");
        assert_eq!(refused(json!({ "timeout_seconds": 0 })), "settings.setup.timeout_seconds");
        for name in
            ["", "1A", "A-B", "A B", "A=B", "é", "PATH", "FORGE_X", "GIT_DIR", "FORGE_PORT_0"]
        {
            assert_eq!(refused(json!({ "env": { name: "x" } })), "settings.setup.env", "{name}");
        }
        assert_eq!(refused(json!({ "env": { "A": "x\0" } })), "settings.setup.env");
    }

    #[test]
    fn w_13_values_of_variables_are_shown_nowhere() {
        let settings =
            json!({ "setup": { "env": { "TOKEN": "hunter22", "LONG": "hunter2233", "N": "1" } } });
        let setup = ProjectSetup::of(&settings).expect("reads");
        assert_eq!(setup.redacted("1 hunter2233 x hunter22\n"), "1 *** x ***\n");
        assert!(!format!("{setup:?}").contains("hunter"), "{setup:?}");
    }
}
