//! A project's own prompt templates, by role.

use crate::command::errors::EngineError;
use forge_agent::{PromptTemplate, PromptTemplateError};
use forge_domain::workflow::{RoleName, Workflow};
use serde_json::Value;
use std::collections::BTreeMap;

const FIELD: &str = "settings.prompts";

/// A project's templates. Roles without one use the built-in template.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptSettings(BTreeMap<String, PromptTemplate>);

impl PromptSettings {
    /// Reads the templates from the settings; refuses invalid ones.
    pub(crate) fn of(settings: &Value) -> Result<Self, EngineError> {
        let said: BTreeMap<String, String> = match settings.get("prompts") {
            None | Some(Value::Null) => BTreeMap::new(),
            Some(said) => serde_json::from_value(said.clone()).map_err(|_| {
                let problem = "give a table with a template for each role".to_owned();
                EngineError::InvalidField { field: FIELD, problem }
            })?,
        };
        let mut all = BTreeMap::new();
        for (role, text) in said {
            let template =
                PromptTemplate::new(&text).map_err(|error| Self::template_error(&role, &error))?;
            all.insert(role, template);
        }
        Ok(Self(all))
    }

    /// Names the role whose template cannot be used.
    pub(crate) fn template_error(role: &str, error: &PromptTemplateError) -> EngineError {
        let problem = format!("the template of \"{role}\": {error}");
        EngineError::InvalidField { field: FIELD, problem }
    }

    /// Refuses templates of roles that the workflow does not have, because they would never be used.
    pub(crate) fn check(settings: &Value, workflow: &Workflow) -> Result<(), EngineError> {
        let stray = Self::of(settings)?
            .0
            .into_keys()
            .find(|name| !workflow.roles().any(|role| role.as_str() == name));
        let Some(stray) = stray else { return Ok(()) };
        let roles: Vec<_> = workflow.roles().map(ToString::to_string).collect();
        let problem =
            format!("the workflow has no role \"{stray}\"; its roles are: {}", roles.join(", "));
        Err(EngineError::InvalidField { field: FIELD, problem })
    }

    /// The project's own template for a role.
    pub(crate) fn get(&self, role: &RoleName) -> Option<&PromptTemplate> {
        self.0.get(role.as_str())
    }
}
