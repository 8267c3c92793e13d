//! The workflow templates that ship with Forge (F-4). They are TOML files in `workflows/`, like a user's own.

use crate::workflow::WorkflowDefinition;

/// Name and text of every template.
pub const TEMPLATES: [(&str, &str); 7] = [
    ("default", include_str!("../../workflows/default.toml")),
    ("no-review", include_str!("../../workflows/no-review.toml")),
    ("autopilot", include_str!("../../workflows/autopilot.toml")),
    ("ordered-turn", include_str!("../../workflows/ordered-turn.toml")),
    ("session", include_str!("../../workflows/session.toml")),
    ("run", include_str!("../../workflows/run.toml")),
    ("triage", include_str!("../../workflows/triage.toml")),
];

/// The template of a project that names none.
pub const DEFAULT: &str = "default";

/// The template of that name.
pub fn template(name: &str) -> Option<WorkflowDefinition> {
    TEMPLATES
        .iter()
        .find(|(known, _)| *known == name)
        .and_then(|(_, text)| WorkflowDefinition::from_toml(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::Workflow;

    #[test]
    fn f_4_every_shipped_template_is_valid_and_has_its_own_name() {
        for (name, text) in TEMPLATES {
            let definition = WorkflowDefinition::from_toml(text).unwrap();
            assert_eq!(definition.name, name);
            Workflow::compile(definition).unwrap_or_else(|invalid| panic!("{invalid}"));
        }
    }
}
