//! Answers of a server, as JSON.

use serde_json::{Value, json};

pub(crate) const PROJECT: &str = "01900000-0000-7000-8000-000000000001";
pub(crate) const TASK: &str = "01900000-0000-7000-8000-000000000012";
pub(crate) const AT: &str = "2026-01-02T03:04:05Z";

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

pub(crate) fn project(name: &str) -> Value {
    json!({
        "id": PROJECT, "name": name, "slug": name.to_lowercase(), "workspace_type": "git_worktree",
        "workflow": { "name": "default", "hash": "h" },
        "settings": { "default_review_config": { "ci_steps": [], "review_prompt": null, "setup_steps": [], "timeout_seconds": null },
                      "branch_template": null, "directory_template": null, "directory": null, "metadata": {} },
        "paused_at": null, "version": 1, "created_at": AT, "updated_at": AT,
    })
}

pub(crate) fn task(number: u64, title: &str, status: &str) -> Value {
    json!({
        "id": TASK, "project_id": PROJECT, "repo_id": null, "number": number, "key": format!("T-{number}"), "kind": "task",
        "title": title, "description": "Line one\nline two", "status": status, "phase": "working", "version": 4,
        "priority": 0, "labels": ["ui", "small"],
        "review_config": { "ci_steps": ["cargo test"], "review_prompt": null, "setup_steps": [], "timeout_seconds": null, "allow_no_changes": false },
        "merge_config": { "target_branch": null, "strategy": "squash" },
        "roles": { "coder": { "agent_id": PROJECT, "user_id": null } }, "dependencies": [], "parent": null, "subtask": null,
        "error_annotation": null, "pull_request": null, "review_passed_at": null, "archived_at": null, "handoffs": [], "messages": [],
        "origin": null, "landing": null, "cleanup": null, "reverted_by": null, "regression": null, "budget": null, "metadata": {}, "workflow_hash": "h",
        "busy": "running", "created_at": AT, "updated_at": AT,
    })
}

pub(crate) fn me() -> Option<(u16, Value)> {
    let user = json!({ "id": PROJECT, "name": "ann", "role": "admin", "created_at": AT });
    let actor = json!({ "kind": "user", "id": PROJECT, "name": "ann" });
    Some((200, json!({ "actor": actor, "user": user, "via": "token" })))
}
