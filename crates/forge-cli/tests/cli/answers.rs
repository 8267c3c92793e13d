//! Answers that the real server does not give, as JSON.

use serde_json::{Value, json};

const ID: &str = "01900000-0000-7000-8000-000000000012";

pub(crate) fn page(items: Value) -> Option<(u16, Value)> {
    Some((200, json!({ "items": items, "next_cursor": null })))
}

pub(crate) fn failure(status: u16, code: &str, details: Value) -> Option<(u16, Value)> {
    let message = format!("The server says {code}.");
    Some((
        status,
        json!({ "code": code, "message": message, "details": details, "request_id": "r-1" }),
    ))
}

/// A workspace on a branch whose name contains a control character.
pub(crate) fn malformed_workspace() -> Value {
    json!({
        "task_id": ID, "key": "T-12", "title": "Fix", "project_id": ID, "path": "/data/workspaces/alpha",
        "branch": "forge/\u{1b}[31mred", "base": null, "head": null, "ahead": null, "behind": null,
        "dirty": null, "status": "corrupted", "last_error": null, "lock": null,
    })
}

/// A project with this identifier.
pub(crate) fn project(id: &str, name: &str) -> Value {
    let at = "2026-01-02T03:04:05Z";
    json!({
        "id": id, "name": name, "slug": name.to_lowercase(), "workspace_type": "git_worktree",
        "workflow": { "name": "default", "hash": "h" }, "settings": {}, "paused_at": null, "version": 1,
        "created_at": at, "updated_at": at,
    })
}
