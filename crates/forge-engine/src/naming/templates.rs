//! A project's templates, as its settings have them.

use super::template::{LONGEST_DIRECTORY, Template};
use super::words::Words;
use crate::errors::EngineError;
use forge_domain::task::TaskKind;
use serde::Deserialize;
use serde_json::Value;

const DIRECTORY: &str = "{project}-{number}-{slug}-{hash}";

/// How a project's branches and directories are named.
#[derive(Debug, Clone)]
pub(crate) struct Templates {
    task: Template,
    session: Template,
    run: Template,
    directory: Template,
}

/// `branch_template`: one for all kinds that have a branch, or one each.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Given {
    #[default]
    Nothing,
    One(String),
    ByKind(ByKind),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ByKind {
    task: Option<String>,
    session: Option<String>,
    run: Option<String>,
}

impl Templates {
    /// The templates of a project's settings; what is not set has its default.
    pub(crate) fn of(settings: &Value) -> Result<Self, EngineError> {
        let broken = |field: &'static str| {
            move |problem: String| EngineError::InvalidField { field, problem }
        };
        let given = match settings.get("branch_template") {
            None | Some(Value::Null) => Given::Nothing,
            Some(value) => serde_json::from_value(value.clone()).map_err(|_| {
                broken("settings.branch_template")(
                    "give one template, or a table with templates for task, session and run"
                        .to_owned(),
                )
            })?,
        };
        let given = match given {
            Given::Nothing => ByKind::default(),
            Given::One(text) => {
                ByKind { task: Some(text.clone()), session: Some(text.clone()), run: Some(text) }
            }
            Given::ByKind(table) => table,
        };
        let branch = |text: Option<String>, default: &str| {
            let text = text.unwrap_or_else(|| default.to_owned());
            Template::for_branches(&text).map_err(broken("settings.branch_template"))
        };
        let directory = match settings.get("directory_template").and_then(Value::as_str) {
            Some(text) => text,
            None => DIRECTORY,
        };
        Ok(Self {
            task: branch(given.task, "forge/{number}-{slug}")?,
            session: branch(given.session, "session/{agent}-{timestamp}")?,
            run: branch(given.run, "run/{id}")?,
            directory: Template::for_directories(directory)
                .map_err(broken("settings.directory_template"))?,
        })
    }

    /// The name of a task's directory: like no other task's, whatever the template leaves out (W-3).
    pub(crate) fn directory_name(&self, words: &Words) -> String {
        let made = self.directory.render(words);
        let mut name: String = made.chars().take(LONGEST_DIRECTORY).collect();
        if name != made || !self.directory.is_unique() {
            name = format!("{}-{}", name.trim_end_matches('-'), words.hash);
        }
        name
    }

    /// The template of a kind's branches.
    pub(crate) fn branch(&self, kind: TaskKind) -> &Template {
        match kind {
            // A triage has no branch of its own to name; until it runs detached it is named like a task's.
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
        Templates::of(&settings).expect("sound").branch(kind).render(&Words::extremes()[0])
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
    fn w_3_a_directory_is_like_no_other_whatever_its_template_says() {
        let named = |template: &str, words: &Words| {
            let settings = json!({ "directory_template": template });
            Templates::of(&settings).expect("sound").directory_name(words)
        };
        let words = &Words::extremes()[0];
        assert_eq!(named("{number}-{hash}", words), "1-0123abcd");
        assert_eq!(named("wip", words), "wip-0123abcd", "the same for every task but for its end");
        let long = named("{slug}-{slug}-{slug}-{hash}", &Words::extremes()[1]);
        assert!(long.len() <= 110 && long.ends_with("-0123abcd"), "{long}");
    }

    #[test]
    fn t_24_what_is_wrong_with_a_setting_is_said() {
        for (settings, words) in [
            (json!({ "branch_template": { "run": "{nubmer}" } }), "{nubmer} is not known"),
            (json!({ "branch_template": { "triage": "x/{number}" } }), "task, session and run"),
            (json!({ "branch_template": 7 }), "give one template"),
            (json!({ "directory_template": "a/{number}" }), "settings.directory_template"),
            (json!({ "directory_template": ".{number}" }), "beginning with a letter"),
        ] {
            let error = Templates::of(&settings).expect_err("refused").to_string();
            assert!(error.contains(words), "{settings}: {error}");
        }
    }
}
