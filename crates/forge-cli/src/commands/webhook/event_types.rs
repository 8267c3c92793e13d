//! Reads lists of event types.

use forge_api::EventType;

/// Reads the name of one event type.
pub(crate) fn read_event_type(name: &str) -> Result<EventType, String> {
    EventType::parse(name.trim()).ok_or_else(|| {
        let similar = similar_names(name);
        let examples = if similar.is_empty() {
            "such as task.landed, task.failed or task.needs_person".to_owned()
        } else {
            format!("such as {}", similar.join(", "))
        };
        format!("there is no such event type; write `noun.verb` names {examples}")
    })
}

/// Types with the same noun.
fn similar_names(name: &str) -> Vec<&'static str> {
    let noun = name.trim().split('.').next().unwrap_or_default();
    let has_noun = |known: &&str| known.split('.').next() == Some(noun);
    EventType::ALL.iter().map(|known| known.as_str()).filter(has_noun).take(5).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_4_a_wrong_event_type_names_similar_ones() {
        assert_eq!(read_event_type(" task.landed").unwrap(), EventType::TaskLanded);
        assert!(read_event_type("review.ended").unwrap_err().contains("review.finished"));
        assert!(read_event_type("landed").unwrap_err().contains("task.landed"));
    }
}
