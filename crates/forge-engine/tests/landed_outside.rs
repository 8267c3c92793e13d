//! Agents that bypass the gate (issue 13.5): their work on the target is found, and waits for a person's decision.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{TaskCommand, TaskId};
use forge_testkit::engine_fixture::EngineFixture;

const COMMIT: &str = "git -c user.name=agent -c user.email=agent@example.org commit -q";

async fn drain(world: &EngineFixture) {
    world.engine().drain().await.expect("everything is carried out");
}

/// A task of this workflow after its agent's execution.
async fn worked(world: &EngineFixture, workflow: &str, title: &str, script: &str) -> TaskId {
    let project = world.project("Board", EngineFixture::workflow(workflow)).await.unwrap();
    let task = world.claimed_task(project, EngineFixture::task_request(title), title, script).await;
    drain(world).await;
    task
}

fn raised(task: &TaskSnapshot) -> &serde_json::Value {
    let found = task.annotation.as_ref().expect("it waits for a person");
    assert_eq!(found.kind, AnnotationType::LandedOutside, "{found:?}");
    assert_eq!(task.state.as_str(), "blocked");
    assert!(found.message.contains("accept-landed"), "{}", found.message);
    &found.details
}

async fn tip(world: &EngineFixture) -> String {
    world.repository.git(&["rev-parse", "main"]).await.trim().to_owned()
}

#[tokio::test]
async fn issue_13_05_an_agent_that_moves_the_target_waits_for_a_persons_decision() {
    for workflow in ["autopilot", "no-review"] {
        let world = EngineFixture::new().await;
        let script = format!(
            "echo x > x.txt; git add x.txt; {COMMIT} -m one; echo y > y.txt; git add y.txt; {COMMIT} -m two; \
             git update-ref refs/heads/main HEAD"
        );
        let task = worked(&world, workflow, "A", &script).await;
        let found = world.load_task(task).await;
        let before = tip(&world).await;
        let details = raised(&found);
        assert_eq!(details["commit"], before.as_str(), "{workflow}");
        assert_eq!(details["commits"].as_array().map(Vec::len), Some(2));
        let reason = Some("reviewed by hand".to_owned());
        let accept = TaskCommand::AcceptLanded { reason };
        world.engine().commands().handle(EngineFixture::acting_user(), task, accept).await.unwrap();
        drain(&world).await;
        let done = world.load_task(task).await;
        assert_eq!(done.state.as_str(), "done");
        assert_eq!(done.post_landing.landed.and_then(|landed| landed.commit), Some(before.clone()));
        assert_eq!(tip(&world).await, before, "Forge has moved nothing");
    }
}

#[tokio::test]
async fn issue_13_05_an_outside_landing_is_reverted_through_the_gate() {
    let world = EngineFixture::new().await;
    let script = format!(
        "echo x > x.txt; git add x.txt; {COMMIT} -m one; echo y > y.txt; git add y.txt; {COMMIT} -m two; \
         git update-ref refs/heads/main HEAD"
    );
    let task = worked(&world, "autopilot", "A", &script).await;
    raised(&world.load_task(task).await);
    world.repository.git(&["reset", "--quiet", "--hard"]).await;
    let successor =
        world.engine().post_landing().revert(EngineFixture::acting_user(), task).await.unwrap();
    world.settle().await.unwrap();
    let revert = world.load_task(successor.task.id).await;
    assert_eq!(revert.state.as_str(), "done", "{:?}", revert.annotation);
    let files = world.repository.git(&["ls-tree", "--name-only", "main"]).await;
    assert!(!files.contains("x.txt") && !files.contains("y.txt"), "{files}");
    raised(&world.load_task(task).await);
}

#[tokio::test]
async fn issue_13_05_content_brought_by_other_commits_is_no_landing_of_the_task() {
    let world = EngineFixture::new().await;
    let script = format!(
        "echo x > x.txt; git add x.txt; {COMMIT} -m own; \
         git update-ref refs/heads/main $(git -c user.name=a -c user.email=a@b commit-tree HEAD^{{tree}} -p main -m other)"
    );
    let task = worked(&world, "no-review", "A", &script).await;
    let found = world.load_task(task).await;
    assert_eq!(raised(&found)["commit"], tip(&world).await.as_str());
}

#[tokio::test]
async fn issue_13_05_an_agent_that_commits_on_the_target_itself_never_ends_done() {
    let world = EngineFixture::new().await;
    let script = format!(
        "git checkout -q --ignore-other-worktrees main; echo x > x.txt; git add x.txt; {COMMIT} -m own; \
         git checkout -q -"
    );
    let task = worked(&world, "autopilot", "A", &script).await;
    let found = world.load_task(task).await;
    assert_eq!(raised(&found)["commit"], tip(&world).await.as_str());
}

#[tokio::test]
async fn issue_13_05_every_landing_on_the_target_finds_work_that_bypassed_the_gate() {
    let world = EngineFixture::new().await;
    let first = worked(&world, "default", "A", "echo a > a.txt").await;
    let second = worked(&world, "default", "B", "echo b > b.txt").await;
    let branch = world.load_task(first).await.workspace.expect("a workspace").branch;
    world.repository.git(&["update-ref", "refs/heads/main", &branch]).await;
    world.repository.git(&["reset", "--quiet", "--hard"]).await;
    world.request_move(second, "merging").await;
    drain(&world).await;
    raised(&world.load_task(first).await);
    let other = world.load_task(second).await;
    assert_eq!(other.state.as_str(), "done", "{:?}", other.annotation);
}

/// Two projects on one repository, as a database of an earlier version may have them.
#[tokio::test]
async fn issue_13_05_a_landing_also_checks_tasks_of_other_projects_on_the_repository() {
    let world = EngineFixture::new().await;
    let other = world.project("Other", EngineFixture::workflow("default")).await.unwrap();
    let first =
        world.claimed_task(other, EngineFixture::task_request("A"), "A", "echo a > a.txt").await;
    let second = worked(&world, "default", "B", "echo b > b.txt").await;
    let branch = world.load_task(first).await.workspace.expect("a workspace").branch;
    world.repository.git(&["update-ref", "refs/heads/main", &branch]).await;
    world.repository.git(&["reset", "--quiet", "--hard"]).await;
    world.request_move(second, "merging").await;
    drain(&world).await;
    raised(&world.load_task(first).await);
    let landed = world.load_task(second).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
}

#[tokio::test]
async fn issue_13_05_a_branch_updated_by_its_agent_is_no_outside_landing() {
    let world = EngineFixture::new().await;
    let home = world.home().join("repo");
    let person = "git -c user.name=p -c user.email=p@example.org";
    let script = format!(
        "cd {0}; echo p > person.txt; git add person.txt; {person} commit -q -m person; cd -; \
         git merge -q --ff-only main; echo a > a.txt",
        home.display()
    );
    let task = worked(&world, "autopilot", "A", &script).await;
    let done = world.load_task(task).await;
    assert_eq!(done.state.as_str(), "done", "{:?}", done.annotation);
    let files = world.repository.git(&["ls-tree", "--name-only", "main"]).await;
    assert!(files.contains("a.txt") && files.contains("person.txt"), "{files}");
}
