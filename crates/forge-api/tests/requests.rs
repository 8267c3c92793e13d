//! Requests: the bodies of the seed, unknown names, and the difference between absent and `null`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api::{
    AgentPatch, AssignRole, ClaimRequest, NewAgent, NewProject, NewRepo, NewTask, ProjectPatch,
    RepoSource, RoleAssignee, TaskPatch, TransitionRequest, WorkflowChoice,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// Reads a body as the server does: all unknown names are collected.
fn read<T: DeserializeOwned>(body: Value) -> (T, Vec<String>) {
    let mut unknown = Vec::new();
    let request = serde_ignored::deserialize(body, |path| unknown.push(path.to_string()))
        .expect("a readable request");
    (request, unknown)
}

fn known<T: DeserializeOwned>(body: Value) -> T {
    let (request, unknown) = read(body);
    assert_eq!(unknown, Vec::<String>::new());
    request
}

fn refused<T: DeserializeOwned + std::fmt::Debug>(body: Value) -> String {
    serde_json::from_value::<T>(body).expect_err("must be refused").to_string()
}

fn survives<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(request: T) {
    let wire = serde_json::to_value(&request).expect("a client can write it");
    assert_eq!(known::<T>(wire), request);
}

#[test]
fn t_1_t_3_t_8_t_14_the_bodies_of_the_seed_are_understood() {
    let task: NewTask = known(json!({
        "title": "Add rate limiting",
        "description": "Add per-IP rate limiting to POST /api/v1/auth/login.",
        "review_config": {"ci_steps": ["cargo test -p api --test auth"]},
    }));
    let steps = task.review_config.map(|config| config.ci_steps);
    assert_eq!(steps, Some(vec!["cargo test -p api --test auth".to_owned()]));
    let claim: ClaimRequest = known(json!({"agent_id": ID, "overrides": null}));
    assert_eq!((claim.agent_id.is_some(), claim.overrides), (true, None));
    let by_hand: ClaimRequest = known(json!({}));
    assert_eq!(by_hand.agent_id, None);
    let moved: TransitionRequest = known(json!({"status": "review", "version": 2}));
    assert_eq!((moved.status.as_str(), moved.version), ("review", Some(2)));
    let role: AssignRole = known(json!({"agent_id": ID, "reset_worktree": true}));
    assert!(role.reset_worktree && !role.reset_workspace);
    assert!(matches!(role.assignee, RoleAssignee::Agent(_)));
}

/// Nested objects and requests with alternatives lose names most easily.
#[test]
fn t_1_unknown_names_are_found_at_every_depth() {
    let (_, unknown) = read::<NewTask>(json!({
        "title": "x", "titel": 1,
        "review_config": {"ci_step": []},
        "merge_config": {"target": "main"},
        "roles": {"coder": {"agent_id": ID, "agent": 1}},
        "status": "later",
    }));
    let expected =
        ["merge_config.target", "review_config.ci_step", "roles.coder.agent", "status", "titel"];
    assert_eq!(sorted(unknown), expected);
    let (_, unknown) = read::<NewAgent>(json!({
        "name": "a", "executor": {"kind": "shell", "command": ["x"], "comand": []}, "role": "coder",
    }));
    assert_eq!(sorted(unknown), ["executor.comand", "role"]);
    let (_, unknown) = read::<AgentPatch>(json!({
        "version": 1, "executor": {"kind": "shell", "command": ["x"], "cwd": "/"},
    }));
    assert_eq!(unknown, ["executor.cwd"]);
    let (_, unknown) = read::<NewProject>(json!({
        "name": "p", "settings": {"default_review_config": {"cl_steps": []}, "trian": true},
    }));
    assert_eq!(sorted(unknown), ["settings.default_review_config.cl_steps", "settings.trian"]);
    let (_, unknown) = read::<AssignRole>(json!({"user_id": ID, "reset": true}));
    assert_eq!(unknown, ["reset"]);
    let (_, unknown) = read::<NewRepo>(json!({"path": "/r", "branch": "main"}));
    assert_eq!(unknown, ["branch"]);
}

/// serde_ignored marks an `Option` in the path with `?`; the server drops it the same way.
fn sorted(unknown: Vec<String>) -> Vec<String> {
    let mut names: Vec<_> = unknown.iter().map(|path| path.replace(".?", "")).collect();
    names.sort();
    names
}

#[test]
fn t_1_a_patch_tells_absent_from_null() {
    let silent: TaskPatch = known(json!({"version": 3}));
    assert_eq!(silent, TaskPatch { version: 3, ..TaskPatch::default() });
    let cleared: TaskPatch =
        known(json!({"version": 3, "description": null, "review_config": null}));
    assert_eq!(cleared.description, Some(None));
    assert_eq!(cleared.review_config, Some(None));
    survives(silent);
    survives(cleared);
    for field in ["title", "priority", "labels", "metadata"] {
        refused::<TaskPatch>(json!({"version": 3, field: null}));
    }
    refused::<ProjectPatch>(json!({"version": 3, "name": null}));
}

#[test]
fn t_14_exactly_one_assignee() {
    for body in [json!({}), json!({"agent_id": ID, "user_id": ID})] {
        let message = refused::<AssignRole>(body.clone());
        assert!(message.contains("exactly one of agent_id and user_id"), "{message}");
        refused::<RoleAssignee>(body);
    }
}

#[test]
fn s_7_1_repository_agent_and_project_bodies() {
    let local: NewRepo = known(json!({"path": "/srv/shop"}));
    assert_eq!(local.source, RepoSource::Path("/srv/shop".to_owned()));
    survives(local);
    let message = refused::<NewRepo>(json!({"path": "/srv/shop", "url": "https://x.invalid/y"}));
    assert!(message.contains("exactly one of path and url"), "{message}");

    for executor in [
        json!({"kind": "shell"}),
        json!({"kind": "shell", "command": []}),
        json!({"kind": "shell", "command": [""]}),
    ] {
        let message = refused::<NewAgent>(json!({"name": "a", "executor": executor}));
        assert!(message.contains("needs a command"), "{message}");
    }
    let message = refused::<NewAgent>(json!({"name": "a", "executor": {"kind": "shel"}}));
    assert!(message.contains("expected one of `shell`, `claude`"), "{message}");
    let plain: NewAgent =
        known(json!({"name": "a", "executor": {"kind": "claude", "policy": "edit"}}));
    assert_eq!(plain.executor.command, Vec::<String>::new(), "its own program");

    let named: NewProject = known(json!({"name": "p", "workflow": "autopilot"}));
    assert_eq!(named.workflow, Some(WorkflowChoice::Template("autopilot".to_owned())));
    let inline: NewProject = known(json!({"name": "p", "workflow": {"states": []}}));
    assert!(matches!(inline.workflow, Some(WorkflowChoice::Inline(_))));
    let message = refused::<NewProject>(json!({"name": "p", "workflow": 7}));
    assert!(message.contains("name of a workflow template"), "{message}");
}
