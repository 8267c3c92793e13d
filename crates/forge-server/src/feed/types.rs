//! Which types of events somebody wants.

use forge_api::{ErrorCode, EventType};
use serde_json::json;

use crate::failure::Failure;

/// All, or those of a list.
#[derive(Debug, Clone)]
pub(crate) struct Types(Option<Vec<EventType>>);

impl Types {
    /// Reads names separated by commas.
    pub(crate) fn parse(names: Option<&str>) -> Result<Self, Failure> {
        let Some(names) = names else {
            return Ok(Self(None));
        };
        let types: Result<Vec<_>, _> = names.split(',').map(|name| known(name.trim())).collect();
        Ok(Self(Some(types?)))
    }

    pub(crate) fn has(&self, kind: EventType) -> bool {
        self.0.as_ref().is_none_or(|types| types.contains(&kind))
    }
}

fn known(name: &str) -> Result<EventType, Failure> {
    EventType::parse(name).ok_or_else(|| {
        let message = format!(
            "There is no event type `{name}`. Write `noun.verb` names such as `task.created`, separated by commas."
        );
        Failure::new(ErrorCode::InvalidQuery, message).with_details(json!({ "parameter": "type" }))
    })
}
