//! What an agent is told.

use crate::prompt_material::PromptMaterial;
use crate::prompt_template::PromptTemplate;

/// The text of one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt(String);

impl Prompt {
    /// The prompt of a role, by its template.
    pub fn build(template: &PromptTemplate, material: &PromptMaterial<'_>) -> Self {
        Self(template.fill(material))
    }

    /// Words for an agent that already knows its task (E-7).
    pub fn follow_up(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
