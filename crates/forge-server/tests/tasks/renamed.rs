//! P-7: a workflow with other state names behaves the same. The test finds states by kind and never by name.

use std::collections::HashMap;

use forge_domain::workflow::{WorkflowDefinition, template};
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

/// The states of a project's workflow, found by their purpose.
struct States(Value);

impl States {
    async fn of(board: &Board) -> Self {
        Self(board.read(&format!("/projects/{}/workflow", board.project)).await)
    }

    fn named(&self, edge: &str) -> String {
        text(&self.0[edge])
    }

    fn find(&self, matches: impl Fn(&Value) -> bool) -> String {
        let states = self.0["states"].as_array().expect("states");
        let found = states.iter().find(|state| matches(state));
        text(&found.expect("such a state")["name"])
    }

    fn of_kind(&self, kind: &str) -> String {
        self.find(|state| state["kind"] == kind)
    }

    fn pool(&self) -> String {
        self.find(|state| state["claimable"] == true)
    }

    fn success(&self) -> String {
        self.find(|state| state["outcome"] == "success")
    }

    fn work(&self) -> String {
        self.find(|state| state["kind"] == "work" && state["optional"] == false)
    }
}

/// Create, claim, submit, get rejected, submit again, land; reassign; cancel; conflict.
async fn walk(board: &Board) -> Vec<String> {
    let states = States::of(board).await;
    let edited = board.meeting("edited");
    let script = format!("echo green > light.txt; {}; {WAITS}", edited.announce());
    let agent = board.agent("coder", &script).await;
    let asked = json!({ "title": "Walk", "review_config": { "ci_steps": ["test -f permit.txt || test -f ../permit"] } });
    let task = board.task(asked).await;
    assert_eq!(board.show(&task).await["status"], json!(states.named("initial")));
    let claimed = board.claim(&task, &agent).await;
    assert_eq!(claimed["task"]["status"], json!(states.work()));
    edited.announced().await;

    let path = format!("/tasks/{task}/transition");
    let gate = states.of_kind("gate");
    let red = board.done(&path, json!({ "status": gate, "version": 2 })).await;
    assert_eq!(
        (&red["review"]["status"], &red["task"]["status"]),
        (&json!("failed"), &json!(states.work()))
    );
    edited.announced().await;
    let place = text(&board.read(&format!("/tasks/{task}/workspace")).await["path"]);
    std::fs::write(std::path::Path::new(&place).join("permit.txt"), "yes\n").unwrap();
    let green = board.move_to(&task, &gate).await;
    assert_eq!(
        (&green["review"]["status"], &green["task"]["status"]),
        (&json!("passed"), &json!(gate))
    );
    assert_eq!(green["review"]["attempt_number"], 2);
    let landed = board.move_to(&task, &states.of_kind("merge")).await;
    assert_eq!(landed["status"], json!(states.success()));
    assert_eq!(board.repository.git(&["show", "main:light.txt"]).await, "green");
    assert!(!std::path::Path::new(&place).exists());

    let quiet = board.agent("quiet", WAITS).await;
    let second = board.task(json!({ "title": "Second" })).await;
    board.claim(&second, &quiet).await;
    let given =
        board.done(&format!("/tasks/{second}/roles/coder"), json!({ "agent_id": agent })).await;
    assert_eq!(given["status"], json!(states.pool()));
    let cancelled = board.done(&format!("/tasks/{second}/cancel"), json!({})).await;
    assert_eq!(cancelled["status"], json!(states.named("cancel")));

    let clash = board.task(json!({ "title": "Clash" })).await;
    board.done(&format!("/tasks/{clash}/claim"), json!({})).await;
    let place = text(&board.read(&format!("/tasks/{clash}/workspace")).await["path"]);
    std::fs::write(std::path::Path::new(&place).join("numbers.txt"), "mine\n").unwrap();
    board.repository.write("numbers.txt", "theirs\n");
    board.repository.commit("meanwhile").await;
    board.move_to(&clash, &gate).await;
    let parked = board.move_to(&clash, &states.of_kind("merge")).await;
    let conflict = states
        .find(|state| state["kind"] == "hold" && state["name"] != json!(states.named("fault")));
    assert_eq!(parked["status"], json!(conflict));
    assert_eq!(parked["error_annotation"]["type"], "merge_conflict");
    assert_eq!(parked["error_annotation"]["details"]["files"], json!(["numbers.txt"]));
    let moved = board.move_to(&clash, &states.pool()).await;
    assert_eq!(moved["status"], json!(states.pool()));

    let mut visited = Vec::new();
    for task in [task, second, clash] {
        for entry in board.items(&format!("/tasks/{task}/transitions")).await {
            visited.push(text(&entry["to_state"]));
        }
    }
    visited
}

fn renamed(mut definition: WorkflowDefinition) -> (WorkflowDefinition, HashMap<String, String>) {
    let names: HashMap<String, String> = definition
        .state
        .iter()
        .enumerate()
        .map(|(n, state)| (format!("stop-{n}"), state.name.clone()))
        .collect();
    let rename = |name: &mut String| {
        let (new, _) = names.iter().find(|(_, old)| *old == name).expect("a known state");
        new.clone_into(name);
    };
    [&mut definition.initial, &mut definition.fault, &mut definition.cancel]
        .into_iter()
        .for_each(rename);
    for state in &mut definition.state {
        rename(&mut state.name);
        state.manual.iter_mut().for_each(rename);
        let edges = [
            &mut state.claim_target,
            &mut state.done,
            &mut state.failed,
            &mut state.pass,
            &mut state.reject,
            &mut state.exhausted,
            &mut state.merged,
            &mut state.conflict,
        ];
        edges.into_iter().flatten().for_each(rename);
    }
    (definition, names)
}

#[tokio::test]
async fn p_7_the_default_workflow_with_every_state_renamed_behaves_the_same() {
    let (definition, names) = renamed(template("default").expect("the default workflow"));
    let inline = serde_json::to_value(&definition).unwrap();
    let other = Board::with(json!({ "name": "Renamed", "workflow": inline })).await;
    let visited = walk(&other).await;
    let back: Vec<_> = visited.iter().map(|state| names[state].clone()).collect();
    let usual = Board::new().await;
    assert_eq!(back, walk(&usual).await);
}
