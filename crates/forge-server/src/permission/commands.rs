//! Permission to define commands that the server runs (S-6).

use std::collections::BTreeSet;

use forge_api::{ErrorCode, ProjectSettings, ReviewConfig, SetupSettings};
use forge_domain::ProjectId;
use serde_json::json;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::projects::project_settings::project_settings;
use crate::error::api_error::ApiError;

/// The commands that a request defines, including variables that change how they run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct CommandSet(BTreeSet<String>);

impl CommandSet {
    /// The commands of a project's settings.
    pub(crate) fn of_settings(settings: &ProjectSettings) -> Self {
        Self::of_setup(&settings.setup).union(Self::of_review(&settings.default_review_config))
    }

    /// The checks of a review configuration.
    pub(crate) fn of_review(config: &ReviewConfig) -> Self {
        Self(config.ci_steps.iter().chain(&config.setup_steps).cloned().collect())
    }

    fn of_setup(setup: &SetupSettings) -> Self {
        // A variable can name a program to run or a library to load.
        let variables = setup.env.iter().map(|(name, value)| format!("{name}={value}"));
        Self(setup.commands.iter().cloned().chain(variables).collect())
    }

    /// The union of two sets of commands.
    #[must_use]
    pub(crate) fn union(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The commands that are not defined yet: choosing an existing one is not a definition.
    fn missing_from(&self, known: &Self) -> Vec<&String> {
        self.0.iter().filter(|command| !known.0.contains(*command)).collect()
    }
}

impl Caller {
    /// Refuses new commands unless the caller may define commands in the project.
    pub(crate) async fn require_commands(
        &self,
        app: &AppState,
        project: ProjectId,
        asked: &CommandSet,
        known: CommandSet,
    ) -> Result<(), ApiError> {
        if self.require_admin().is_ok() || asked.0.is_empty() {
            return Ok(());
        }
        let settings = settings(app, project).await?;
        let known = known.union(CommandSet::of_settings(&settings));
        let new = asked.missing_from(&known);
        if new.is_empty() || self.may_define_commands(app, Some(&settings)) {
            return Ok(());
        }
        Err(undefined_commands_error(json!(new)))
    }

    /// Refuses commands of a new project, which has none to choose from.
    pub(crate) fn require_first_commands(
        &self,
        app: &AppState,
        asked: &CommandSet,
    ) -> Result<(), ApiError> {
        if asked.0.is_empty() || self.may_define_commands(app, None) {
            return Ok(());
        }
        Err(undefined_commands_error(json!(asked.0)))
    }

    /// Refuses callers who may not define the programs of the project's agents.
    pub(crate) async fn require_programs(
        &self,
        app: &AppState,
        project: Option<ProjectId>,
    ) -> Result<(), ApiError> {
        self.require_owner_of_agents(project)?;
        let settings = match project {
            Some(project) => Some(settings(app, project).await?),
            None => None,
        };
        if self.may_define_commands(app, settings.as_ref()) {
            return Ok(());
        }
        Err(undefined_commands_error(json!(["executor"])))
    }

    /// Refuses to change the permission unless the caller is an admin.
    pub(crate) fn require_same_permission(
        &self,
        before: Option<&ProjectSettings>,
        asked: &ProjectSettings,
    ) -> Result<(), ApiError> {
        let granted = before.is_some_and(|before| before.members_may_define_commands);
        if self.require_admin().is_ok() || granted == asked.members_may_define_commands {
            return Ok(());
        }
        Err(ApiError::new(
            ErrorCode::Forbidden,
            "settings.members_may_define_commands: only an admin can change this setting. Leave it unchanged.",
        ))
    }

    fn may_define_commands(&self, app: &AppState, settings: Option<&ProjectSettings>) -> bool {
        self.require_admin().is_ok()
            || app.settings.members_may_define_commands
            || settings.is_some_and(|settings| settings.members_may_define_commands)
    }
}

fn undefined_commands_error(commands: serde_json::Value) -> ApiError {
    let message = "Commands run as the server's user, so only an admin defines new ones here. Use those that the project \
                   has, ask an admin to define them, or to set members_may_define_commands for the project.";
    ApiError::new(ErrorCode::Forbidden, message)
        .with_details(json!({ "permission": "define_commands", "commands": commands }))
}

async fn settings(app: &AppState, project: ProjectId) -> Result<ProjectSettings, ApiError> {
    Ok(project_settings(app.engine.records().project(project).await?.settings.or_defaults()))
}
