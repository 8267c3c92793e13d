//! The name templates of a project's settings.

use crate::command::errors::EngineError;
use crate::workspace::naming::name_template::{LONGEST_DIRECTORY, NameTemplate};
use crate::workspace::naming::name_values::NameValues;
use forge_domain::task::TaskKind;
use serde::Deserialize;
use serde_json::Value;

const DIRECTORY: &str = "{project}-{number}-{slug}-{hash}";

/// How a project's branches and directories are named.
#[derive(Debug, Clone)]
pub(crate) struct NameTemplates {
    task: NameTemplate,
    session: NameTemplate,
    run: NameTemplate,
    directory: NameTemplate,
}

/// The setting `branch_template`: one template for all kinds, or one per kind.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum BranchTemplateSetting {
    #[default]
    Nothing,
    One(String),
    ByKind(BranchTemplatesByKind),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BranchTemplatesByKind {
    task: Option<String>,
    session: Option<String>,
    run: Option<String>,
}

impl NameTemplates {
    /// Reads the templates from a project's settings; absent ones get their default.
    pub(crate) fn of(settings: &Value) -> Result<Self, EngineError> {
        let broken = |field: &'static str| {
            move |problem: String| EngineError::InvalidField { field, problem }
        };
        let given = match settings.get("branch_template") {
            None | Some(Value::Null) => BranchTemplateSetting::Nothing,
            Some(value) => serde_json::from_value(value.clone()).map_err(|_| {
                broken("settings.branch_template")(
                    "give one template, or a table with templates for task, session and run"
                        .to_owned(),
                )
            })?,
        };
        let given = match given {
            BranchTemplateSetting::Nothing => BranchTemplatesByKind::default(),
            BranchTemplateSetting::One(text) => BranchTemplatesByKind {
                task: Some(text.clone()),
                session: Some(text.clone()),
                run: Some(text),
            },
            BranchTemplateSetting::ByKind(table) => table,
        };
        let branch = |text: Option<String>, default: &str| {
            let text = text.unwrap_or_else(|| default.to_owned());
            NameTemplate::for_branches(&text).map_err(broken("settings.branch_template"))
        };
        let directory = match settings.get("directory_template").and_then(Value::as_str) {
            Some(text) => text,
            None => DIRECTORY,
        };
        Ok(Self {
            task: branch(given.task, "forge/{number}-{slug}")?,
            session: branch(given.session, "session/{agent}-{timestamp}")?,
            run: branch(given.run, "run/{id}")?,
            directory: NameTemplate::for_directories(directory)
                .map_err(broken("settings.directory_template"))?,
        })
    }

    /// The name of a task's directory, unique whatever the template omits (W-3).
    pub(crate) fn directory_name(&self, words: &NameValues) -> String {
        let made = self.directory.render(words);
        let mut name: String = made.chars().take(LONGEST_DIRECTORY).collect();
        if name != made || !self.directory.is_unique() {
            name = format!("{}-{}", name.trim_end_matches('-'), words.hash);
        }
        name
    }

    /// The branch template of a task kind.
    pub(crate) fn branch(&self, kind: TaskKind) -> &NameTemplate {
        match kind {
            // A triage has no branch of its own; until it runs detached it is named like a task.
            TaskKind::Task | TaskKind::Triage => &self.task,
            TaskKind::Session => &self.session,
            TaskKind::Run => &self.run,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn named(settings: Value, kind: TaskKind) -> String {
        NameTemplates::of(&settings).expect("sound").branch(kind).render(&NameValues::extremes()[0])
    }

    #[test]
    fn t_24_each_kind_has_its_default_and_can_have_its_own() {
        assert_eq!(named(json!({}), TaskKind::Task), "forge/1-a");
        assert_eq!(named(json!({}), TaskKind::Session), "session/a-20260101-000000");
        assert_eq!(named(json!({ "branch_template": null }), TaskKind::Task), "forge/1-a");
        let one = json!({ "branch_template": "x/{number}" });
        assert_eq!(named(one.clone(), TaskKind::Task), "x/1");
        assert_eq!(named(one, TaskKind::Session), "x/1");
        let table = json!({ "branch_template": { "session": "s/{number}" } });
        assert_eq!(named(table.clone(), TaskKind::Task), "forge/1-a");
        assert_eq!(named(table, TaskKind::Session), "s/1");
    }

    #[test]
    fn w_3_a_directory_name_is_unique_with_every_template() {
        let named = |template: &str, words: &NameValues| {
            let settings = json!({ "directory_template": template });
            NameTemplates::of(&settings).expect("sound").directory_name(words)
        };
        let words = &NameValues::extremes()[0];
        assert_eq!(named("{number}-{hash}", words), "1-0123abcd");
        assert_eq!(named("wip", words), "wip-0123abcd", "the same for every task but for its end");
        let long = named("{slug}-{slug}-{slug}-{hash}", &NameValues::extremes()[1]);
        assert!(long.len() <= 110 && long.ends_with("-0123abcd"), "{long}");
    }

    #[test]
    fn t_24_an_invalid_setting_is_explained() {
        for (settings, words) in [
            (json!({ "branch_template": { "run": "{nubmer}" } }), "{nubmer} is not known"),
            (json!({ "branch_template": { "triage": "x/{number}" } }), "task, session and run"),
            (json!({ "branch_template": 7 }), "give one template"),
            (json!({ "directory_template": "a/{number}" }), "settings.directory_template"),
            (json!({ "directory_template": ".{number}" }), "beginning with a letter"),
        ] {
            let error = NameTemplates::of(&settings).expect_err("refused").to_string();
            assert!(error.contains(words), "{settings}: {error}");
        }
    }
}
