//! Converts workflows from requests: a template's name, or a definition whose mistakes are all reported at once.

use forge_api::{ErrorCode, ReplaceWorkflow, WorkflowChoice};
use forge_domain::workflow::{
    DEFAULT, DefinitionProblem, InvalidWorkflowError, ProblemCode, StateName, TEMPLATES, Workflow,
    WorkflowDefinition, template,
};
use forge_engine::WorkflowSpec;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::api_error::ApiError;

/// The requested definition; the default workflow if none is given.
pub(crate) fn definition(choice: Option<WorkflowChoice>) -> Result<WorkflowDefinition, ApiError> {
    match choice {
        None => template_definition(DEFAULT),
        Some(WorkflowChoice::Template(name)) => template_definition(&name),
        Some(WorkflowChoice::Inline(written)) => read_definition(written).map_err(ApiError::from),
    }
}

/// Converts a request to replace a project's workflow.
pub(crate) fn replacement(asked: ReplaceWorkflow) -> Result<WorkflowSpec, ApiError> {
    let states = |(from, to): (String, String)| (StateName::new(from), StateName::new(to));
    Ok(WorkflowSpec {
        // No row has a version this large, so it counts as stale like any other wrong version.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        definition: definition(Some(asked.workflow))?,
        mapping: asked.mapping.into_iter().map(states).collect(),
    })
}

fn template_definition(name: &str) -> Result<WorkflowDefinition, ApiError> {
    template(name).ok_or_else(|| {
        let known: Vec<_> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "workflow: there is no template \"{name}\"; choose one of {}, or send a definition",
            known.join(", ")
        );
        ApiError::new(ErrorCode::InvalidField, message)
            .with_details(json!({ "path": "workflow", "templates": known }))
    })
}

/// Reads a definition field by field and state by state, so that one mistake does not hide the next.
fn read_definition(
    mut written: Map<String, Value>,
) -> Result<WorkflowDefinition, InvalidWorkflowError> {
    let mut problems = Vec::new();
    let name = written.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_default().to_owned();
    let given = match written.remove("state") {
        Some(Value::Array(states)) => states,
        None => Vec::new(),
        Some(_) => {
            problems.push(unreadable("state", "must be a list of states"));
            Vec::new()
        }
    };
    let mut states = Vec::new();
    let mut is_whole = true;
    for (index, state) in given.into_iter().enumerate() {
        match read_object(state, &format!("state[{index}]"), &mut problems) {
            Some(state) => states.push(state),
            None => is_whole = false,
        }
    }
    let head: Option<WorkflowDefinition> = read_object(Value::Object(written), "", &mut problems);
    match head {
        Some(definition) if problems.is_empty() => {
            Ok(WorkflowDefinition { state: states, ..definition })
        }
        Some(definition) if is_whole => {
            // Also check what could be read, unless a whole state is missing: most edges would lead nowhere.
            let checked = Workflow::compile(WorkflowDefinition { state: states, ..definition });
            if let Err(invalid) = checked {
                problems.extend(invalid.problems);
            }
            Err(InvalidWorkflowError { name, problems })
        }
        Some(_) | None => Err(InvalidWorkflowError { name, problems }),
    }
}

/// Reads an object; records each unusable field and continues without it.
fn read_object<T: DeserializeOwned>(
    mut written: Value,
    place: &str,
    problems: &mut Vec<DefinitionProblem>,
) -> Option<T> {
    loop {
        match serde_path_to_error::deserialize::<_, T>(written.clone()) {
            Ok(read) => return Some(read),
            Err(error) => {
                let field = error.path().iter().next().map(ToString::to_string);
                let unknown = || quoted_after("unknown field ", &error.inner().to_string());
                let field = field.filter(|field| field != ".").or_else(unknown);
                let at = match (&field, place) {
                    (Some(field), "") => field.clone(),
                    (Some(field), place) => format!("{place}.{field}"),
                    (None, "") => "definition".to_owned(),
                    (None, place) => place.to_owned(),
                };
                problems.push(unreadable(&at, &error.inner().to_string()));
                // A field that is absent was missing from the start: removing a field cannot help.
                written.as_object_mut()?.remove(&field?)?;
            }
        }
    }
}

fn quoted_after(start: &str, message: &str) -> Option<String> {
    let rest = message.strip_prefix(start)?.strip_prefix('`')?;
    rest.split_once('`').map(|(name, _)| name.to_owned())
}

fn unreadable(place: &str, message: &str) -> DefinitionProblem {
    DefinitionProblem {
        code: ProblemCode::Unreadable,
        place: place.to_owned(),
        line: None,
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, clippy::panic)]

    use super::*;

    fn problems(written: Value) -> Vec<(String, ProblemCode)> {
        let Value::Object(written) = written else {
            panic!("an object");
        };
        let checked =
            read_definition(written).and_then(|definition| Workflow::compile(definition).map(drop));
        let invalid = checked.expect_err("mistakes");
        let placed = |problem: DefinitionProblem| (problem.place, problem.code);
        invalid.problems.into_iter().map(placed).collect()
    }

    #[test]
    fn f_5_five_mistakes_of_different_sorts_are_five_problems() {
        let found = problems(json!({
            "name": "mine", "initial": "in", "fault": "stuck", "cancel": "off", "colour": "red",
            "state": [
                { "name": "in", "kind": "queue", "claimable": true, "claim_target": "make", "manual": ["nowhere"] },
                { "name": "make", "kind": "work", "role": "coder", "done": "off", "max_attempts": "three" },
                { "name": "stuck", "kind": "hold", "manual": ["in"], "rolle": "x", "pahse": "done" },
                { "name": "off", "kind": "terminal", "outcome": "cancelled" },
            ],
        }));
        let unreadable = |place: &str| (place.to_owned(), ProblemCode::Unreadable);
        assert_eq!(found.len(), 5, "{found:?}");
        for place in ["colour", "state[1].max_attempts", "state[2].rolle", "state[2].pahse"] {
            assert!(found.contains(&unreadable(place)), "{place}: {found:?}");
        }
        let target = ("state[0].manual".to_owned(), ProblemCode::UnknownTarget);
        assert!(found.contains(&target), "{found:?}");
    }

    #[test]
    fn f_5_an_unreadable_definition_reports_its_problems() {
        let found = problems(json!({ "name": 7, "state": [{ "name": "x", "kind": "wrok" }, 3] }));
        let places: Vec<_> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert!(places.contains(&"state[0].kind"), "{places:?}");
        assert!(places.contains(&"state[1]"), "{places:?}");
        assert!(places.contains(&"name"), "{places:?}");
    }
}
