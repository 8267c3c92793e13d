//! Answers of the server: each example has every field and is unchanged after reading and writing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api::{
    ActionView, ActorView, Agent, CallerInfo, ClaimResponse, Comment, ConflictList, CreatedToken,
    DiffView, EventType, EventView, LogPage, Page, Project, RecoveryReport, Repo, SystemInfo, Task,
    TaskDependency, Transition, TransitionResponse, WorkflowView, WorkspaceView,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
const AT: &str = "2025-01-02T03:04:05.678Z";

/// Equality also proves presence: a field that the example lacks would be written as `null` and differ.
fn same<T: DeserializeOwned + Serialize>(example: Value) -> T {
    let parsed: T = serde_json::from_value(example.clone()).expect("the example can be read");
    let written = serde_json::to_value(&parsed).expect("an answer can be written");
    assert_eq!(written, example);
    parsed
}

fn question() -> Value {
    json!({
        "task_id": ID, "number": 1, "text": "Which port?", "status": "open",
        "asked_by": { "kind": "agent", "id": ID, "execution_id": ID, "name": null },
        "execution_id": ID, "asked_at": AT, "answer": null, "answered_by": null, "ended_at": null
    })
}

fn task() -> Value {
    json!({
        "id": ID, "project_id": ID, "repo_id": ID, "number": 12, "key": "T-12", "kind": "task",
        "title": "Add rate limiting", "description": "", "status": "anything the workflow says",
        "phase": "review", "version": 7, "priority": -1, "labels": ["api"],
        "review_config": {
            "ci_steps": ["cargo test"], "review_prompt": null, "setup_steps": [], "timeout_seconds": 60,
            "allow_no_changes": false,
        },
        "merge_config": {"target_branch": null, "strategy": "squash"},
        "roles": {
            "coder": {"agent_id": ID, "user_id": null},
            "reviewer": {"agent_id": null, "user_id": ID},
        },
        "overrides": {
            "coder": {"model": "opus", "reasoning_effort": null, "permission_policy": null, "deadline_seconds": null},
        },
        "dependencies": [ID], "parent": ID,
        "subtask": {"mode": "ordered_turn", "order": 2, "commit": "c0ffee", "no_changes": false},
        "error_annotation": {"type": "stopped", "message": "stopped by ada", "details": null, "at": AT},
        "pull_request": {
            "number": 7, "url": "https://github.com/a/b/pull/7", "state": "open", "waits_for": "checks", "head": "c0ffee",
        },
        "review_passed_at": AT, "archived_at": null, "metadata": {"mine": [1, 2]},
        "handoffs": [{
            "by": {"kind": "user", "id": ID, "name": null}, "from": {"agent_id": ID, "user_id": null},
            "message": "half done", "branch": "forge/12-fix", "worktree": "w", "last_execution": ID, "at": AT,
        }], "messages": [], "plan": null, "questions": [question()], "budget": null,
        "origin": {"kind": "revert", "task_id": ID},
        "landing": {"outcome": "merged", "commit": "c0ffee", "target": "main", "verified": "passed", "at": AT},
        "cleanup": {"worktree": true, "branch": true, "record": true, "warnings": ["stayed"], "at": AT},
        "reverted_by": ID,
        "regression": {
            "reason": "slow", "checks": [{"name": "build", "url": null}], "fix_id": ID, "at": AT,
        },
        "workflow_hash": "abc", "busy": "landing", "created_at": AT, "updated_at": AT,
    })
}

fn review() -> Value {
    json!({
        "id": ID, "task_id": ID, "status": "passed", "attempt_number": 1, "commit": "c0ffee",
        "step_results": [{
            "command": "cargo test", "exit_code": 0, "outcome": "passed", "duration_ms": 1200,
            "output_tail": "ok\n", "log_from": 0, "log_to": 3,
        }],
        "taken_from": {"review_id": ID, "at": AT}, "verdict": "pass", "feedback": null, "counted": false,
        "decided": {"by": {"agent_id": null, "user_id": ID}, "reason": "seen", "overrides": true, "at": AT},
        "started_at": AT, "finished_at": AT,
    })
}

fn step() -> Value {
    json!({
        "id": ID, "task_id": ID, "kind": "land", "state": "pending", "attempts": 1, "not_before": AT,
        "lease": {"node": "n1", "until": AT}, "last_error": null, "created_at": AT, "finished_at": null,
    })
}

fn execution() -> Value {
    json!({
        "id": ID, "task_id": ID, "role": "coder", "agent_id": ID, "user_id": null, "status": "finished",
        "outcome": "succeeded", "exit_code": 0, "signal": null, "started_at": AT, "finished_at": AT,
        "commit": "c0ffee", "no_changes": false, "session_id": null, "usage": null, "failure": null,
        "overrides": {"model": "opus", "reasoning_effort": "high", "permission_policy": "plan", "deadline_seconds": 60},
        "log_bytes": 4096,
    })
}

fn user() -> Value {
    json!({"id": ID, "name": "ada", "role": "admin", "created_at": AT, "removed_at": null})
}

#[test]
fn t_1_task_and_its_list() {
    same::<Task>(task());
    same::<Page<Task>>(json!({"items": [task()], "next_cursor": "c"}));
}

#[test]
fn t_3_claim() {
    same::<ClaimResponse>(json!({"task": task(), "execution": execution()}));
}

/// Deserialization must choose the right one of the three shapes, as the seed's callers do.
#[test]
fn t_9_a_transition_answers_in_the_shape_of_the_state_entered() {
    same::<forge_api::ReviewResponse>(json!({"task": task(), "review": review()}));
    let gate = same(json!({"task": task(), "review": review()}));
    assert!(matches!(gate, TransitionResponse::Gate { .. }));
    let pending = same(json!({"task": task(), "step": step()}));
    assert!(matches!(pending, TransitionResponse::Pending { .. }));
    let plain = same(task());
    assert!(matches!(plain, TransitionResponse::Task(_)));
}

#[test]
fn t_10_history_names_its_actor() {
    let entry = |actor: Value| {
        json!({
            "id": ID, "from_state": "a", "to_state": "b", "triggered_by": actor, "rejection": true,
            "trigger_reason": "tests fail", "at": AT,
        })
    };
    same::<Transition>(entry(json!({"kind": "user", "id": ID, "name": "ada"})));
    same::<Transition>(entry(json!({"kind": "agent", "id": ID, "execution_id": ID, "name": null})));
    let by_engine = same::<Transition>(entry(json!({"kind": "system", "component": "recovery"})));
    assert!(matches!(by_engine.triggered_by, ActorView::System { .. }));
}

#[test]
fn t_11_t_16_t_21_actions_dependencies_and_comments() {
    same::<ActionView>(json!({
        "name": "transition", "target": "b", "label": "Move to b", "method": "POST",
        "path": "/api/v1/tasks/x/transition", "command": "forge task move T-1 b",
        "parameters": [{"name": "reason", "kind": "long_text", "required": false, "choices": null}],
    }));
    same::<TaskDependency>(json!({
        "task_id": ID, "depends_on_id": ID, "status": "a", "phase": "working", "satisfied": false,
    }));
    same::<Comment>(json!({
        "id": ID, "task_id": ID, "parent_id": null, "body": "**hi**", "at": AT,
        "author": {"kind": "user", "id": ID, "name": null},
    }));
}

#[test]
fn f_1_workflow_and_project() {
    let nowhere = json!({
        "claim": null, "done": null, "failed": null, "pass": null, "reject": null,
        "exhausted": null, "merged": null, "conflict": null, "rejected": null, "manual": ["b"],
    });
    let state = |kind: &str, outcome: Value, cleanup: Value| {
        json!({
            "name": kind, "kind": kind, "phase": "ready", "role": null, "optional": false,
            "claimable": true, "targets": nowhere, "max_attempts": null, "auto_advance": false,
            "outcome": outcome, "cleanup": cleanup,
        })
    };
    same::<WorkflowView>(json!({
        "name": "w", "hash": "abc", "initial": "a", "fault": "f", "cancel": "c",
        "states": [
            state("queue", Value::Null, Value::Null),
            state("terminal", json!("success"), json!({"mode": "immediate"})),
            state("terminal", json!("cancelled"), json!({"mode": "delayed", "after_seconds": null})),
        ],
    }));
    same::<Project>(json!({
        "id": ID, "name": "Shop", "slug": "shop", "workspace_type": "git_worktree",
        "workflow": {"name": "w", "hash": "abc"},
        "settings": {
            "default_review_config": {
                "ci_steps": [], "review_prompt": null, "setup_steps": [], "timeout_seconds": null,
                "allow_no_changes": false,
            },
            "default_reviewer": null, "members_may_define_commands": false,
            "setup": { "commands": [], "timeout_seconds": null, "env": {}, "ports": 0 },
            "branch_template": null, "budget": null, "directory_template": null, "directory": null, "prompts": {"coder": "Do {{title}}."}, "github_installation_id": null, "keep_ignored_files": false, "metadata": {},
            "dispatch": { "enabled": true, "max_concurrent": 4, "hold_conflicts": true },
            "merge": { "train": true, "window": 8, "paused": false, "verify": "off", "mode": "direct" },
        },
        "paused_at": null, "version": 1, "created_at": AT, "updated_at": AT,
    }));
}

#[test]
fn s_6_me_and_a_new_token_whose_secret_stays_out_of_logs() {
    same::<CallerInfo>(json!({
        "actor": {"kind": "user", "id": ID, "name": "ada"}, "user": user(), "via": "token",
    }));
    let created = same::<CreatedToken>(json!({
        "secret": "fg_topsecret",
        "token": {
            "id": ID, "name": "ci", "user_id": ID, "scope": "read_only", "created_at": AT,
            "last_used_at": null, "expires_at": AT, "revoked_at": null,
        },
    }));
    assert_eq!(created.secret.expose(), "fg_topsecret");
    assert!(!format!("{created:?}").contains("topsecret"));
}

#[test]
fn w_16_workspace_and_diff() {
    same::<WorkspaceView>(json!({
        "task_id": ID, "key": "T-12", "title": "x", "project_id": ID, "path": "/w/t-12", "branch": "forge/12-x", "base": "b", "head": "h",
        "ahead": 1, "behind": 0, "dirty": {"staged": 0, "modified": 1, "untracked": 2},
        "status": "ready", "last_error": null,
        "lock": {"execution_id": ID, "holder": ID, "node": "n1", "pid": 42, "since": AT},
    }));
    same::<DiffView>(json!({
        "scope": "all", "source": "workspace", "base": "b", "head": null, "truncated": true,
        "deletes_landed": [],
        "files": [{
            "path": "a.png", "old_path": null, "change": "type_changed", "binary": true,
            "truncated": false, "additions": null, "deletions": null, "patch": null,
        }],
    }));
}

#[test]
fn s_2_events_have_the_fixed_names() {
    for &kind in EventType::ALL {
        let event = same::<EventView>(json!({
            "id": "p.1", "project_id": ID, "seq": 1, "type": kind.as_str(), "task_id": null,
            "actor": {"kind": "system", "component": "engine"}, "at": AT, "data": {"x": 1},
        }));
        assert_eq!(event.kind, kind);
        assert_eq!(EventType::parse(kind.as_str()), Some(kind));
    }
    let names: Vec<_> = EventType::ALL.iter().map(|kind| kind.as_str()).collect();
    let fixed = "task.created, task.transitioned, task.updated, execution.started, \
        execution.finished, execution.stalled, review.started, review.finished, merge.started, \
        merge.finished, workspace.created, workspace.cleaned, workspace.error, agent.paused, \
        project.paused, conflict.detected, conflict.cleared, train.changed, message.sent, \
        comment.created";
    for name in fixed.split(", ") {
        assert!(names.contains(&name), "{name} is promised by SPEC 7.1");
    }
}

#[test]
fn s_1_the_other_answers() {
    same::<Repo>(json!({
        "id": ID, "project_id": ID, "name": "shop", "path": "/srv/shop", "url": null,
        "default_branch": null, "primary": true, "created_at": AT,
    }));
    same::<Agent>(json!({
        "id": ID, "name": "bot", "roles": [], "paused": false, "max_concurrent": 1,
        "ephemeral": false, "fallback": null, "project_id": null, "waiting": null, "version": 1, "created_at": AT,
        "removed_at": null,
        "executor": {"kind": "shell", "command": ["sh", "-c", "true"], "timeout_seconds": null},
    }));
    let branch = |number: u32, uncommitted: bool| {
        json!({
            "task_id": ID, "key": format!("T-{number}"), "title": "Add rate limiting", "status": "coding",
            "repo_id": ID, "branch": format!("forge/t-{number}"), "head": "4f3c07a", "uncommitted": uncommitted,
            "target": null, "target_conflict": null,
        })
    };
    same::<ConflictList>(json!({
        "branches": [branch(4, false), branch(9, true)],
        "conflicts": [{
            "branches": [branch(4, false), branch(9, true)], "files": ["src/lexer.rs"], "since": AT,
        }],
    }));
    same::<LogPage>(json!({"text": "hi", "from": 0, "next": 2, "end": false}));
    same::<RecoveryReport>(json!({
        "node": ID, "started_at": AT, "executions_adopted": 1, "executions_ended": 0,
        "executions_finished": 0, "executions_lost": 0, "effects_resumed": 2, "effects_open": 3,
        "locks_released": 1, "clones_discarded": 1,
        "orphans": [{ "path": "/data/workspaces/lost", "reason": "no task has it as its workspace" }],
    }));
    same::<SystemInfo>(json!({
        "version": "0.1.0", "git_version": "2.47.3", "database": "sqlite", "database_version": "3.50.2",
        "data_dir": "/srv/forge", "node": ID,
    }));
}
