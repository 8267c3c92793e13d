//! The prompt of an execution.

use crate::prompt::prompt_material::PromptMaterial;
use crate::prompt::prompt_template::{PromptTemplate, PromptTemplateError};

/// The complete prompt text of one execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentPrompt(String);

impl AgentPrompt {
    /// Builds the prompt of a role from its template.
    pub fn build(
        template: &PromptTemplate,
        material: &PromptMaterial<'_>,
    ) -> Result<Self, PromptTemplateError> {
        template.fill(material).map(Self)
    }

    /// A message for an agent that already knows its task (E-7).
    pub fn follow_up(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
