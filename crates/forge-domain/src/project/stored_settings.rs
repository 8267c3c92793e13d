//! Settings as a project's row holds them.

use crate::project::{
    BranchTemplateSetting, InvalidSettingsError, LandingSettings, ProjectDispatchSettings,
    ProjectSettings, ProjectSetup, SettingsProblem,
};
use crate::task::ReviewConfig;
use crate::{Assignee, Budget};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The settings of a project's row. A stored value that this version cannot read makes only its own setting unusable:
/// the accessor of that setting returns an error that names it, and the value stays as it is until the settings are saved.
#[derive(Clone, Default, PartialEq)]
pub struct StoredSettings {
    /// With the default in place of a value that cannot be read.
    settings: ProjectSettings,
    /// The values that cannot be read, by their key.
    unreadable: BTreeMap<String, UnreadableSetting>,
}

#[derive(Clone, PartialEq)]
struct UnreadableSetting {
    value: Value,
    problem: SettingsProblem,
}

impl StoredSettings {
    /// Parses stored settings. Fails only if they are no JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        match serde_json::from_str(text) {
            Ok(settings) => Ok(Self { settings, unreadable: BTreeMap::new() }),
            Err(_) => Self::parse_by_key(serde_json::from_str(text)?),
        }
    }

    fn parse_by_key(stored: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let (mut readable, mut unreadable) = (Map::new(), BTreeMap::new());
        for (key, value) in stored {
            let alone = Value::Object(Map::from_iter([(key.clone(), value.clone())]));
            match serde_json::from_value::<ProjectSettings>(alone) {
                Ok(_) => drop(readable.insert(key, value)),
                Err(error) => {
                    let problem = SettingsProblem {
                        path: format!("settings.{key}"),
                        problem: format!(
                            "the stored value cannot be read: {error}; save this setting again"
                        ),
                    };
                    unreadable.insert(key, UnreadableSetting { value, problem });
                }
            }
        }
        let settings = serde_json::from_value(Value::Object(readable))?;
        Ok(Self { settings, unreadable })
    }

    /// All settings, with the default in place of a value that cannot be read. For display and for the settings that are
    /// replaced; what acts on a setting uses its accessor.
    pub fn or_defaults(&self) -> &ProjectSettings {
        &self.settings
    }

    /// The checks of tasks that have none of their own.
    pub fn default_review_config(&self) -> Result<&ReviewConfig, InvalidSettingsError> {
        self.readable("default_review_config", &self.settings.default_review_config)
    }

    /// The reviewer of tasks without one.
    pub fn default_reviewer(&self) -> Result<Option<Assignee>, InvalidSettingsError> {
        self.readable("default_reviewer", self.settings.default_reviewer)
    }

    /// Removes the default reviewer if it is this one. Returns whether it was.
    pub fn clear_default_reviewer(&mut self, holder: Assignee) -> bool {
        let is_holder = self.settings.default_reviewer == Some(holder);
        if is_holder {
            self.settings.default_reviewer = None;
        }
        is_holder
    }

    /// The template of branch names.
    pub fn branch_template(&self) -> Result<Option<&BranchTemplateSetting>, InvalidSettingsError> {
        self.readable("branch_template", self.settings.branch_template.as_ref())
    }

    /// The template of directory names.
    pub fn directory_template(&self) -> Result<Option<&str>, InvalidSettingsError> {
        self.readable("directory_template", self.settings.directory_template.as_deref())
    }

    /// The setup of new workspaces.
    pub fn setup(&self) -> Result<&ProjectSetup, InvalidSettingsError> {
        self.readable("setup", &self.settings.setup)
    }

    /// Whether ignored files are kept.
    pub fn keep_ignored_files(&self) -> Result<bool, InvalidSettingsError> {
        self.readable("keep_ignored_files", self.settings.keep_ignored_files)
    }

    /// The directory of a project without git.
    pub fn directory(&self) -> Result<Option<&str>, InvalidSettingsError> {
        self.readable("directory", self.settings.directory.as_deref())
    }

    /// The assignment of tasks to agents.
    pub fn dispatch(&self) -> Result<ProjectDispatchSettings, InvalidSettingsError> {
        self.readable("dispatch", self.settings.dispatch)
    }

    /// How branches land.
    pub fn landing(&self) -> Result<LandingSettings, InvalidSettingsError> {
        self.readable("merge", self.settings.merge)
    }

    /// Changes how branches land.
    pub fn landing_mut(&mut self) -> Result<&mut LandingSettings, InvalidSettingsError> {
        self.landing()?;
        Ok(&mut self.settings.merge)
    }

    /// The limits of the whole project.
    pub fn budget(&self) -> Result<Budget, InvalidSettingsError> {
        self.readable("budget", self.settings.budget.unwrap_or_default())
    }

    /// The installation of the GitHub App.
    pub fn github_installation_id(&self) -> Result<Option<u64>, InvalidSettingsError> {
        self.readable("github_installation_id", self.settings.github_installation_id)
    }

    /// The template of a role's prompt.
    pub fn prompt(&self, role: &str) -> Result<Option<&str>, InvalidSettingsError> {
        self.readable("prompts", self.settings.prompts.get(role).map(String::as_str))
    }

    fn readable<T>(&self, key: &str, value: T) -> Result<T, InvalidSettingsError> {
        match self.unreadable.get(key) {
            Some(unreadable) => Err(unreadable.problem.clone().into()),
            None => Ok(value),
        }
    }
}

impl From<ProjectSettings> for StoredSettings {
    fn from(settings: ProjectSettings) -> Self {
        Self { settings, unreadable: BTreeMap::new() }
    }
}

impl Serialize for StoredSettings {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        if self.unreadable.is_empty() {
            return self.settings.serialize(output);
        }
        let mut all = match serde_json::to_value(&self.settings) {
            Ok(Value::Object(all)) => all,
            Ok(_) => Map::new(),
            Err(error) => return Err(serde::ser::Error::custom(error)),
        };
        for (key, unreadable) in &self.unreadable {
            all.insert(key.clone(), unreadable.value.clone());
        }
        all.serialize(output)
    }
}

/// Shows only why values cannot be read, because they may contain secrets.
impl fmt::Debug for StoredSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<_> =
            self.unreadable.values().map(|unreadable| &unreadable.problem.path).collect();
        f.debug_struct("StoredSettings")
            .field("settings", &self.settings)
            .field("unreadable", &problems)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::UserId;
    use serde_json::json;

    fn stored(settings: &Value) -> StoredSettings {
        StoredSettings::parse(&settings.to_string()).expect("an object")
    }

    /// Settings exactly as the server stored them before they had a type.
    fn earlier() -> Value {
        json!({
            "branch_template": { "run": null, "session": "s/{number}", "task": null },
            "budget": { "tokens": 5 },
            "default_review_config": {
                "allow_no_changes": false, "ci_steps": ["make"], "review_prompt": null,
                "setup_steps": [], "timeout_seconds": 60,
            },
            "default_reviewer": {
                "agent_id": null, "user_id": "01890a5d-ac96-774b-bcce-b302099a8057",
            },
            "directory": null,
            "directory_template": "{id}",
            "dispatch": { "enabled": true, "hold_conflicts": false, "max_concurrent": 3 },
            "github_installation_id": 7,
            "keep_ignored_files": true,
            "members_may_define_commands": false,
            "merge": {
                "mode": "pull_request", "paused": true, "train": true, "verify": "remote_checks",
                "window": 9,
            },
            "metadata": { "colour": "green" },
            "prompts": { "coder": "{{title}}" },
            "setup": { "commands": ["npm ci"], "env": { "A": "1" }, "ports": 1, "timeout_seconds": null },
        })
    }

    #[test]
    fn settings_stored_by_earlier_versions_are_read_and_written_alike() {
        let settings = stored(&earlier());
        let user = "01890a5d-ac96-774b-bcce-b302099a8057".parse::<UserId>().expect("an id");
        assert_eq!(settings.default_reviewer(), Ok(Some(Assignee::User { id: user })));
        let mut written = serde_json::to_value(&settings).expect("JSON");
        // Only the review configuration leaves out what is default.
        assert_eq!(
            written["default_review_config"],
            json!({ "ci_steps": ["make"], "timeout_seconds": 60 })
        );
        written["default_review_config"] = earlier()["default_review_config"].clone();
        assert_eq!(written, earlier());
        assert_eq!(settings.or_defaults().problems(), []);
    }

    #[test]
    fn missing_and_null_settings_have_their_default() {
        let null = earlier()
            .as_object()
            .expect("object")
            .keys()
            .map(|key| (key.clone(), Value::Null))
            .collect();
        for settings in [json!({}), Value::Object(null), json!({ "from_a_later_version": 1 })] {
            assert_eq!(stored(&settings), StoredSettings::default(), "{settings}");
        }
        assert!(StoredSettings::parse("1").is_err());
        assert!(StoredSettings::parse("{").is_err());
    }

    #[test]
    fn a_value_that_cannot_be_read_makes_only_its_setting_unusable() {
        let mut settings = earlier();
        settings["setup"] = json!({ "ports": "hunter22" });
        settings["branch_template"] = json!({ "triage": "x/{number}" });
        let mut read = stored(&settings);
        let error = read.setup().expect_err("a wrong type");
        assert_eq!(error.problems()[0].path, "settings.setup");
        let error = read.branch_template().expect_err("an unknown kind").to_string();
        assert!(error.contains("task, session and run"), "{error}");
        assert_eq!(read.or_defaults().setup, ProjectSetup::default());
        assert_eq!(read.dispatch().expect("reads").max_concurrent, Some(3));
        assert!(!format!("{read:?}").contains("hunter"), "{read:?}");
        // Another setting changes, and the unreadable values stay as they are.
        read.landing_mut().expect("reads").paused = false;
        settings["merge"]["paused"] = json!(false);
        let written = serde_json::to_value(&read).expect("JSON");
        assert_eq!(written["setup"], settings["setup"]);
        assert_eq!(written["branch_template"], settings["branch_template"]);
        assert_eq!(written["merge"], settings["merge"]);
    }

    #[test]
    fn w_15_ignored_files_are_kept_only_by_a_plain_yes() {
        for (settings, keeps) in [
            (json!({}), false),
            (json!({ "keep_ignored_files": null }), false),
            (json!({ "keep_ignored_files": false }), false),
            (json!({ "keep_ignored_files": true }), true),
        ] {
            assert_eq!(stored(&settings).keep_ignored_files(), Ok(keeps), "{settings}");
        }
        let refused = stored(&json!({ "keep_ignored_files": "yes" })).keep_ignored_files();
        assert_eq!(refused.expect_err("text").problems()[0].path, "settings.keep_ignored_files");
    }

    #[test]
    fn m_15_an_installation_is_a_number() {
        let usable = |id: Value| {
            let stored = stored(&json!({ "github_installation_id": id }));
            InvalidSettingsError::refuse(stored.or_defaults().problems())?;
            stored.github_installation_id()
        };
        assert_eq!(stored(&json!({})).github_installation_id(), Ok(None));
        assert_eq!(usable(json!(null)), Ok(None));
        assert_eq!(usable(json!(7)), Ok(Some(7)));
        for bad in [json!("7"), json!(0), json!(-1), json!({})] {
            assert!(usable(bad).is_err());
        }
    }

    #[test]
    fn all_problems_are_named_together() {
        let settings = json!({
            "setup": { "ports": 21, "timeout_seconds": 0, "commands": [" "], "env": { "PATH": "/", "1": "" } },
            "merge": { "window": 0 },
            "dispatch": { "max_concurrent": 0 },
            "budget": { "tokens": 0 },
            "default_review_config": { "ci_steps": [""], "timeout_seconds": 0 },
            "github_installation_id": 0,
        });
        let problems = stored(&settings).or_defaults().problems();
        let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "settings.default_review_config.timeout_seconds",
                "settings.default_review_config.ci_steps",
                "settings.setup.commands",
                "settings.setup.timeout_seconds",
                "settings.setup.env",
                "settings.setup.env",
                "settings.setup.ports",
                "settings.dispatch.max_concurrent",
                "settings.merge.window",
                "settings.budget",
                "settings.github_installation_id",
            ]
        );
        let error = InvalidSettingsError::refuse(problems).expect_err("problems").to_string();
        assert!(error.starts_with("11 settings cannot be used\n  settings.default"), "{error}");
    }
}
