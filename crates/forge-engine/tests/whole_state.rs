//! The main scenarios, each with a snapshot of the whole state at its end: nothing else may have changed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::TaskSnapshot;
use forge_domain::{ProjectId, SubtaskRequest, TaskCommand, TaskId};
use forge_engine::{EngineError, FaultAction, TaskSpec};
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::sync::Arc;

async fn world(database: &TestDatabase, faults: FaultSweep) -> EngineFixture {
    EngineFixture::with(faults, Some(database.url().clone())).await
}

/// A checked task from its creation to its landing; continues from any state that a death left.
async fn land_one(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await?;
    let agent = world.agent("coder", "echo new > added.txt; echo four >> numbers.txt").await?;
    let checks = ["grep -q four numbers.txt"];
    let task = EngineFixture::checked_task_request("Add a file", &checks);
    let task = world.task(project, task).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    Ok(project)
}

async fn settle_command(world: &EngineFixture, task: TaskId, command: TaskCommand) {
    world.engine().commands().handle(EngineFixture::acting_user(), task, command).await.unwrap();
    world.settle().await.unwrap();
}

forge_testkit::both_databases! {
    async fn t_3_m_6_w_7_a_task_is_claimed_checked_landed_and_cleaned_up(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = land_one(&world).await.unwrap();
        insta::assert_json_snapshot!("landed", world.whole_state(project).await);
    }

    /// The server dies in the middle; the next one leaves the same state.
    async fn p_4_a_crash_during_the_landing_leaves_the_same_state(database: Arc<TestDatabase>) {
        let undisturbed = EngineFixture::new().await;
        let project = land_one(&undisturbed).await.unwrap();
        let expected = undisturbed.whole_state(project).await;
        let faults = FaultSweep::injecting_at("land.moved", FaultAction::Die);
        let mut world = world(&database, faults).await;
        let project = world.run_to_completion(land_one).await;
        assert_eq!(world.whole_state(project).await, expected);
    }

    async fn m_4_a_rejected_task_is_sent_back_and_lands(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
        let script = "if grep -q 'What was wrong' \"$FORGE_PROMPT_FILE\"; then echo good > state.txt; \
                      else echo bad > state.txt; fi";
        let task = EngineFixture::checked_task_request("Mend", &["grep good state.txt"]);
        world.claimed_task(project, task, "coder", script).await;
        world.settle().await.unwrap();
        insta::assert_json_snapshot!("rejected_and_landed", world.whole_state(project).await);
    }

    async fn m_9_a_conflict_parks_the_second_task(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let [left, right] = ["left", "right"].map(|name| {
            (EngineFixture::task_request(name), format!("sed -i s/two/{name}/ numbers.txt"))
        });
        let first = world.claimed_task(project, left.0, "left", &left.1).await;
        world.settle().await.unwrap();
        let second = world.claimed_task(project, right.0, "right", &right.1).await;
        world.settle().await.unwrap();
        world.land_task(first).await;
        world.land_task(second).await;
        insta::assert_json_snapshot!("conflict", world.whole_state(project).await);
    }

    async fn t_20_a_task_is_handed_off(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let task = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        world.claim_by_hand(task).await;
        let message = "half is done".to_owned();
        settle_command(&world, task, TaskCommand::HandOff { message }).await;
        insta::assert_json_snapshot!("handoff", world.whole_state(project).await);
    }

    async fn t_17_ordered_turns_are_taken_in_the_parents_workspace(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        for title in ["First", "Second"] {
            let subtask = SubtaskRequest::OrderedTurn { order: None };
            let turn = EngineFixture::task_request(title);
            world.task(project, TaskSpec { parent: Some(parent), subtask, ..turn }).await.unwrap();
        }
        let agent = world.agent("coder", "echo x >> log.txt").await.unwrap();
        world.claim(parent, agent).await.unwrap();
        world.settle().await.unwrap();
        world.land_task(parent).await;
        insta::assert_json_snapshot!("ordered_turns", world.whole_state(project).await);
    }

    async fn t_12_a_cancelled_task_leaves_its_branch(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let script = "echo x > half.txt; echo up > \"$HOME/up\"; exec tail -f /dev/null";
        let task = EngineFixture::task_request("Long");
        let task = world.claimed_task(project, task, "coder", script).await;
        world.perform_until_written("up").await;
        let is_running = |task: &TaskSnapshot| task.run.is_some() && !task.is_settling();
        world.engine().progress().wait_until(task, is_running).await.unwrap();
        settle_command(&world, task, TaskCommand::Cancel { reason: None }).await;
        insta::assert_json_snapshot!("cancelled", world.whole_state(project).await);
        settle_command(&world, task, TaskCommand::CleanWorkspace).await;
        insta::assert_json_snapshot!("cancelled_and_cleaned", world.whole_state(project).await);
    }

    async fn w_9_a_reset_replaces_the_workspace_and_keeps_the_work(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let task = world.worked_task("echo old > old.txt").await;
        let project = world.load_task(task).await.project_id;
        settle_command(&world, task, TaskCommand::ResetWorkspace).await;
        insta::assert_json_snapshot!("reset", world.whole_state(project).await);
    }
}
