//! Wire values in words.

use forge_api::{Actor, Page};
use serde::Serialize;

/// A wire enum as the word it has on the wire.
pub(crate) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// `2026-01-02T03:04:05.678Z` as people read it.
pub(crate) fn time(at: &str) -> String {
    at.get(..19).unwrap_or(at).replace('T', " ")
}

/// Who did something.
pub(crate) fn actor(actor: &Actor) -> String {
    match actor {
        Actor::User { name, id } => name.clone().unwrap_or_else(|| format!("user {id}")),
        Actor::Agent { name, id, .. } => name.clone().unwrap_or_else(|| format!("agent {id}")),
        Actor::System { component } => format!("forge ({component})"),
    }
}

/// The first characters of a commit, as git shows it.
pub(crate) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// What to say under a list that was not read to its end.
pub(crate) fn more<T>(page: &Page<T>) -> Option<&'static str> {
    let text = "There are more; ask for them with --limit, or narrow the list.";
    page.next_cursor.as_ref().map(|_| text)
}
