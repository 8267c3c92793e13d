//! Formats API values as words.

use forge_api::{ActorView, Page};
use serde::Serialize;

/// The API name of an enum value.
pub(crate) fn wire_name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// A duration in a readable form.
pub(crate) fn readable_age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// The name of an actor.
pub(crate) fn actor_name(actor: &ActorView) -> String {
    match actor {
        ActorView::User { name, id } => name.clone().unwrap_or_else(|| format!("user {id}")),
        ActorView::Agent { name, id, .. } => name.clone().unwrap_or_else(|| format!("agent {id}")),
        ActorView::System { component } => format!("forge ({component})"),
    }
}

/// The abbreviated commit, as git shows it.
pub(crate) fn short_commit(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// The message under a truncated list.
pub(crate) fn truncation_note<T>(page: &Page<T>) -> Option<&'static str> {
    let text = "There are more; use a higher --limit, or narrow the list.";
    page.next_cursor.as_ref().map(|_| text)
}
