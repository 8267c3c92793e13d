//! Workflows as clients send them: a template's name, or a definition in which every mistake is found at once.

use forge_api::{ErrorCode, ReplaceWorkflow, WorkflowChoice};
use forge_domain::workflow::{
    DEFAULT, Definition, Invalid, Problem, ProblemCode, StateName, TEMPLATES, Workflow, template,
};
use forge_engine::NewWorkflow;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// The definition that was asked for; the default one if none was.
pub(crate) fn definition(choice: Option<WorkflowChoice>) -> Result<Definition, Failure> {
    match choice {
        None => named(DEFAULT),
        Some(WorkflowChoice::Template(name)) => named(&name),
        Some(WorkflowChoice::Inline(written)) => inline(written).map_err(Failure::from),
    }
}

/// The workflow that a project is to have instead.
pub(crate) fn replacement(asked: ReplaceWorkflow) -> Result<NewWorkflow, Failure> {
    let states = |(from, to): (String, String)| (StateName::new(from), StateName::new(to));
    Ok(NewWorkflow {
        // No row ever has a version this large, so it is stale like any other wrong one.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        definition: definition(Some(asked.workflow))?,
        mapping: asked.mapping.into_iter().map(states).collect(),
    })
}

fn named(name: &str) -> Result<Definition, Failure> {
    template(name).ok_or_else(|| {
        let known: Vec<_> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "workflow: there is no template \"{name}\"; choose one of {}, or send a definition",
            known.join(", ")
        );
        Failure::new(ErrorCode::InvalidField, message)
            .with_details(json!({ "path": "workflow", "templates": known }))
    })
}

/// Reads a definition field by field and state by state, so that a mistake in one place does not hide the next.
fn inline(mut written: Map<String, Value>) -> Result<Definition, Invalid> {
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
        match read(state, &format!("state[{index}]"), &mut problems) {
            Some(state) => states.push(state),
            None => is_whole = false,
        }
    }
    let head: Option<Definition> = read(Value::Object(written), "", &mut problems);
    match head {
        Some(definition) if problems.is_empty() => Ok(Definition { state: states, ..definition }),
        Some(definition) if is_whole => {
            // What could be read is checked too. Not when a whole state is missing: most edges would lead nowhere.
            let checked = Workflow::compile(Definition { state: states, ..definition });
            if let Err(invalid) = checked {
                problems.extend(invalid.problems);
            }
            Err(Invalid { name, problems })
        }
        Some(_) | None => Err(Invalid { name, problems }),
    }
}

/// Reads an object, noting each field that cannot be used and going on without it.
fn read<T: DeserializeOwned>(
    mut written: Value,
    place: &str,
    problems: &mut Vec<Problem>,
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
                // A field that is not there was missing from the start: nothing can be left out to go on.
                written.as_object_mut()?.remove(&field?)?;
            }
        }
    }
}

fn quoted_after(start: &str, message: &str) -> Option<String> {
    let rest = message.strip_prefix(start)?.strip_prefix('`')?;
    rest.split_once('`').map(|(name, _)| name.to_owned())
}

fn unreadable(place: &str, message: &str) -> Problem {
    Problem {
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
            inline(written).and_then(|definition| Workflow::compile(definition).map(drop));
        let invalid = checked.expect_err("mistakes");
        let placed = |problem: Problem| (problem.place, problem.code);
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
    fn f_5_what_is_no_definition_ends_with_its_reasons() {
        let found = problems(json!({ "name": 7, "state": [{ "name": "x", "kind": "wrok" }, 3] }));
        let places: Vec<_> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert!(places.contains(&"state[0].kind"), "{places:?}");
        assert!(places.contains(&"state[1]"), "{places:?}");
        assert!(places.contains(&"name"), "{places:?}");
    }
}
