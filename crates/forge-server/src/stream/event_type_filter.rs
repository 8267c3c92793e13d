//! The filter of event types.

use forge_api::{ErrorCode, EventType};
use serde_json::json;

use crate::error::api_error::ApiError;

/// All types, or those of a list.
#[derive(Debug, Clone)]
pub(crate) struct EventTypeFilter(Option<Vec<EventType>>);

impl EventTypeFilter {
    /// Parses names separated by commas.
    pub(crate) fn parse(names: Option<&str>) -> Result<Self, ApiError> {
        let Some(names) = names else {
            return Ok(Self(None));
        };
        let types: Result<Vec<_>, _> = names.split(',').map(|name| known(name.trim())).collect();
        Ok(Self(Some(types?)))
    }

    pub(crate) fn allows(&self, kind: EventType) -> bool {
        self.0.as_ref().is_none_or(|types| types.contains(&kind))
    }
}

fn known(name: &str) -> Result<EventType, ApiError> {
    EventType::parse(name).ok_or_else(|| {
        let message = format!(
            "There is no event type `{name}`. Write `noun.verb` names such as `task.created`, separated by commas."
        );
        ApiError::new(ErrorCode::InvalidQuery, message).with_details(json!({ "parameter": "type" }))
    })
}
