//! One task through the whole path, driven by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::WorkspaceStatus;
use forge_domain::{Assignee, Refusal, TaskCommand};
use forge_engine::EngineError;
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;

#[tokio::test]
async fn t_3_m_2_m_6_w_7_an_agents_work_is_checked_landed_and_cleaned_up() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let agent = world
        .agent("coder", "printf 'new\\n' > added.txt; printf 'four\\n' >> numbers.txt")
        .await
        .unwrap();
    let task = world
        .task(
            project,
            EngineFixture::checked_task_request("Add a file", &["grep -q four numbers.txt"]),
        )
        .await
        .unwrap();
    world.claim(task, agent).await.unwrap();
    world.settle().await.unwrap();

    let task = world.load_task(task).await;
    assert_eq!(task.state.as_str(), "done", "{task:#?}");
    assert_eq!(task.workspace.as_ref().unwrap().status, WorkspaceStatus::Cleaned);
    let traces = world.end_state(project).await;
    assert_eq!(traces.landed, ["Add a file (T-1)", "first"]);
    assert_eq!(traces.branches, ["main"]);
    assert_eq!((traces.checkouts, traces.open_steps), (1, 0));
    assert!(
        traces.workspaces.is_empty() && traces.sound && traces.processes.is_empty(),
        "{traces:#?}"
    );
    assert_eq!(traces.person, "", "the person's checkout follows the landing");
    assert!(traces.tasks["Add a file"].replays, "the events add up to the task");
    let reviews = tables::reviews::list_of_task(world.engine().db(), task.id).await.unwrap();
    assert_eq!(reviews.len(), 1);
}

#[tokio::test]
async fn m_4_a_failed_check_is_sent_back_with_its_output_and_lands_when_fixed() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let script = "if grep -q 'What was wrong' \"$FORGE_PROMPT_FILE\"; then echo good > state.txt; \
                  else echo bad > state.txt; fi";
    let agent = world.agent("coder", script).await.unwrap();
    let task = world
        .task(
            project,
            EngineFixture::checked_task_request("Mend", &["cat state.txt; grep -q good state.txt"]),
        )
        .await
        .unwrap();
    world.claim(task, agent).await.unwrap();
    world.settle().await.unwrap();
    let task = world.load_task(task).await;
    assert_eq!((task.state.as_str(), task.attempts), ("done", 2));
}

#[tokio::test]
async fn m_9_a_conflict_parks_the_task_names_the_file_and_changes_nothing() {
    let world = EngineFixture::new().await;
    let mut parking = EngineFixture::workflow("autopilot");
    for state in parking.state.iter_mut().filter(|state| state.merged.is_some()) {
        (state.conflict, state.rejected) = (state.exhausted.take(), None);
        state.max_attempts = None;
    }
    let project = world.project("Board", parking).await.unwrap();
    let left = world.agent("left", "sed -i s/two/LEFT/ numbers.txt").await.unwrap();
    let right = world.agent("right", "sed -i s/two/RIGHT/ numbers.txt").await.unwrap();
    let one = world.task(project, EngineFixture::checked_task_request("Left", &[])).await.unwrap();
    let two = world.task(project, EngineFixture::checked_task_request("Right", &[])).await.unwrap();
    world.claim(one, left).await.unwrap();
    world.claim(two, right).await.unwrap();
    world.settle().await.unwrap();
    let states: Vec<_> = [one, two].into_iter().collect();
    let mut ends = Vec::new();
    for id in states {
        ends.push(world.engine().records().task(id).await.unwrap());
    }
    let parked =
        ends.iter().find(|task| task.state.as_str() == "merge_failed").expect("one conflicts");
    assert!(ends.iter().any(|task| task.state.as_str() == "done"), "the other lands");
    let trouble = parked.annotation.as_ref().unwrap();
    assert_eq!(trouble.details["files"][0], "numbers.txt");
    assert_eq!(parked.workspace.as_ref().unwrap().status, WorkspaceStatus::Cleaned, "W-7: at once");
    let branch = &parked.workspace.as_ref().unwrap().branch;
    world.repository.git(&["rev-parse", "--verify", branch]).await;
    assert_eq!(world.repository.subjects("main").await.len(), 2);
}

#[tokio::test]
async fn m_7_a_landing_waits_for_a_users_local_changes_and_then_continues() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let agent = world.agent("coder", "sed -i s/two/TWO/ numbers.txt").await.unwrap();
    let task =
        world.task(project, EngineFixture::checked_task_request("Shout", &[])).await.unwrap();
    world.repository.write("numbers.txt", "one\nmine\nthree\n");
    world.claim(task, agent).await.unwrap();
    world.engine().drain().await.unwrap();
    let waiting = world.load_task(task).await;
    assert_eq!(waiting.annotation.as_ref().unwrap().details["files"][0], "numbers.txt");
    assert!(!waiting.is_settling(), "a request that waits for the landing gets its answer");
    assert_eq!(
        std::fs::read_to_string(world.repository.path().join("numbers.txt")).unwrap(),
        "one\nmine\nthree\n"
    );
    world.repository.git(&["checkout", "--quiet", "--", "numbers.txt"]).await;
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.state.as_str(), "done");
    assert_eq!(
        std::fs::read_to_string(world.repository.path().join("numbers.txt")).unwrap(),
        "one\nTWO\nthree\n"
    );
}

#[tokio::test]
async fn t_12_cancel_ends_the_process_tree_and_keeps_the_workspace_for_a_while() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let agent = world
        .agent("coder", "echo x > half.txt; (trap '' TERM; sleep 1000) & echo started; wait")
        .await
        .unwrap();
    let task = world.task(project, EngineFixture::checked_task_request("Long", &[])).await.unwrap();
    world.claim(task, agent).await.unwrap();
    let engine = world.engine().clone();
    let stop = tokio_util::sync::CancellationToken::new();
    let running = tokio::spawn({
        let (engine, stop) = (engine.clone(), stop.clone());
        async move { engine.run(stop).await }
    });
    engine
        .progress()
        .wait_until(task, |task| {
            task.activity
                .is_some_and(|now| matches!(now, forge_domain::task::TaskActivity::Running { .. }))
        })
        .await
        .unwrap();
    engine
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::Cancel { reason: None })
        .await
        .unwrap();
    let cancelled = engine.progress().wait_until_settled(task).await.unwrap();
    assert_eq!(cancelled.state.as_str(), "cancelled");
    assert!(cancelled.run.is_none());
    let traces = world.end_state(project).await;
    assert!(traces.processes.is_empty(), "nothing of it lives when the answer is given");
    assert_eq!(traces.workspaces.len(), 1, "W-7: kept for a day");
    assert!(world.workspaces().join(&traces.workspaces[0]).join("half.txt").exists());
    stop.cancel();
    running.await.unwrap();
    let twice = engine
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::Cancel { reason: None })
        .await;
    assert!(matches!(twice, Err(EngineError::Refused(Refusal::TaskTerminal { .. }))));
    world.clock.advance_to(forge_domain::Timestamp::from_millis(i64::MAX / 2));
    engine.drain().await.unwrap();
    assert!(world.end_state(project).await.workspaces.is_empty());
    let saved =
        world.repository.git(&["for-each-ref", "--format=%(refname)", "refs/heads/forge"]).await;
    assert!(!saved.is_empty(), "P-1: the branch of a cancelled task stays");
}

#[tokio::test]
async fn t_3_a_user_claims_works_and_submits() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let task = world
        .task(project, EngineFixture::checked_task_request("Mine", &["test -f mine.txt"]))
        .await
        .unwrap();
    let forge_domain::Actor::User { id } = EngineFixture::acting_user() else { panic!("a person") };
    let claimed = world
        .engine()
        .commands()
        .handle(
            EngineFixture::acting_user(),
            task,
            TaskCommand::Claim { claimer: Assignee::User { id } },
        )
        .await
        .unwrap();
    assert_eq!(claimed.version, 2, "create and claim are two commands");
    world.settle().await.unwrap();
    let workspace = world.load_task(task).await.workspace.unwrap();
    std::fs::write(std::path::Path::new(&workspace.path).join("mine.txt"), "by hand\n").unwrap();
    world.move_between(task, "in_progress", "review").await.unwrap();
    world.settle().await.unwrap();
    assert!(world.load_task(task).await.review_passed_at.is_some());
    world.move_between(task, "review", "merging").await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.state.as_str(), "done");
    assert!(world.repository.path().join("mine.txt").exists());
}
