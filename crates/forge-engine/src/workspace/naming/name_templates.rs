//! The name templates of a project's settings.

use crate::workspace::naming::name_template::{LONGEST_DIRECTORY, NameTemplate};
use crate::workspace::naming::name_values::NameValues;
use forge_domain::project::{
    BranchTemplateSetting, InvalidSettingsError, ProjectSettings, SettingsProblem, StoredSettings,
};
use forge_domain::task::TaskKind;

const DIRECTORY: &str = "{project}-{number}-{slug}-{hash}";

/// How a project's branches and directories are named.
#[derive(Debug, Clone)]
pub(crate) struct NameTemplates {
    task: NameTemplate,
    session: NameTemplate,
    run: NameTemplate,
    directory: NameTemplate,
}

impl NameTemplates {
    /// Parses the templates of a project's settings; absent ones get their default.
    pub(crate) fn load(settings: &StoredSettings) -> Result<Self, InvalidSettingsError> {
        Self::parse(settings.branch_template()?, settings.directory_template()?)
            .map_err(InvalidSettingsError::new)
    }

    /// The problems of the templates in settings that are to be saved.
    pub(crate) fn problems(settings: &ProjectSettings) -> Vec<SettingsProblem> {
        let directory = settings.directory_template.as_deref();
        Self::parse(settings.branch_template.as_ref(), directory).err().unwrap_or_default()
    }

    fn parse(
        branch: Option<&BranchTemplateSetting>,
        directory: Option<&str>,
    ) -> Result<Self, Vec<SettingsProblem>> {
        let branch = |kind: TaskKind, default: &str| {
            let text = branch.and_then(|templates| templates.template(kind)).unwrap_or(default);
            NameTemplate::for_branches(text)
                .map_err(|problem| SettingsProblem::new("settings.branch_template", problem))
        };
        let task = branch(TaskKind::Task, "forge/{number}-{slug}");
        let session = branch(TaskKind::Session, "session/{agent}-{timestamp}");
        let run = branch(TaskKind::Run, "run/{id}");
        let directory = NameTemplate::for_directories(directory.unwrap_or(DIRECTORY))
            .map_err(|problem| SettingsProblem::new("settings.directory_template", problem));
        match (task, session, run, directory) {
            (Ok(task), Ok(session), Ok(run), Ok(directory)) => {
                Ok(Self { task, session, run, directory })
            }
            (task, session, run, directory) => {
                let problems = [task.err(), session.err(), run.err(), directory.err()];
                let mut problems: Vec<_> = problems.into_iter().flatten().collect();
                // One template for all kinds has the same problem with each of them.
                problems.dedup();
                Err(problems)
            }
        }
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
    use serde_json::{Value, json};

    fn load(settings: &Value) -> Result<NameTemplates, InvalidSettingsError> {
        NameTemplates::load(&StoredSettings::parse(&settings.to_string()).expect("an object"))
    }

    fn named(settings: Value, kind: TaskKind) -> String {
        load(&settings).expect("sound").branch(kind).render(&NameValues::extremes()[0])
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
            load(&settings).expect("sound").directory_name(words)
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
            let error = load(&settings).expect_err("refused").to_string();
            assert!(error.contains(words), "{settings}: {error}");
        }
    }
}
